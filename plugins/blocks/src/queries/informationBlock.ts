import { defineQuery, invalidInput, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { informationBlock } from '../models/information-block.ts';
import { blockEnvelopes } from '../tokens.ts';

const count = Type.Optional(nullable(Type.Integer()));

export default defineQuery({
  name: 'informationBlock',
  summary: 'One block with its elements, arcs, facts, rules, results and view; null if the id is not a block.',
  args: model('InformationBlockArgs', {
    id: Type.String({ graphql: { type: 'ID' } }),
    scenario_id: Type.Optional(nullable(Type.String())),
    series: Type.Optional(nullable(Type.Boolean())),
    series_history: count,
    series_forecast: count,
  }),
  returns: nullable(informationBlock),
  mcp: { tool: 'get-information-block', hint: 'Reads one block by its id.' },
  services: { blockEnvelopes },
  cost: { points: 30 },
  async resolve({ args, ctx, use }) {
    const [history, forecast] = [args.series_history ?? undefined, args.series_forecast ?? undefined];
    for (const [field, value] of Object.entries({ seriesHistory: history, seriesForecast: forecast })) {
      if (value !== undefined && value < 0) throw invalidInput(`${field}: give 0 or more periods, not ${value}.`);
    }
    const window = { ...(history === undefined ? {} : { history }), ...(forecast === undefined ? {} : { forecast }) };
    const found = await use.blockEnvelopes.read(ctx.tx, [args.id], {
      ...(args.scenario_id == null ? {} : { scenarioId: args.scenario_id }),
      // The windows also limit metrics, which are always a series (B-25).
      window,
      isSeries: args.series === true,
    });
    return found.get(args.id) ?? null;
  },
});
