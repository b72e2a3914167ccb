import { defineJob } from '@pacioli/core';
import textsChanged from '../events/texts-changed.ts';
import { search } from '../search.ts';

export default defineJob({
  name: 'index-changed-texts',
  summary: 'Writes the texts of a graph, such as those of its reports, to the search index after they have changed.',
  on: textsChanged,
  maxSeconds: 120,
  services: { search },
  async handle({ payload, ctx, use }) {
    if (!use.search.isOn) return;
    await use.search.texts.resolveDue({ graphId: payload.graph_id, now: ctx.now() }, ctx.signal);
  },
});
