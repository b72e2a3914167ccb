import { defineOperation, model, notFound } from '@pacioli/core';
import { Type } from 'typebox';
import { investorDomain, unblockSource } from '../distribution/index.ts';
import { BlockedSourceGraphResponse, shownBlock } from '../models/PublishList.ts';

export default defineOperation({
  name: 'unblock-source-graph',
  summary: 'Accepts reports of a blocked graph again; what was deleted is not restored.',
  role: 'admin',
  refusal: 'Lifting a block requires the graph admin role.',
  domain: 'ledger',
  alternativeDomains: [investorDomain],
  openapi: { id: 'unblock_source_graph', tag: 'extensions_robo_ledger' },
  input: model('UnblockSourceGraphOperation', { source_graph_id: Type.String() }),
  output: BlockedSourceGraphResponse,
  mcp: { held: 'Decides whose reports the graph accepts.' },
  errors: { NOT_FOUND: 'The graph has not blocked this source.' },

  async handle({ input, ctx }) {
    const block = await unblockSource(ctx.tx, input.source_graph_id);
    if (block === undefined) throw notFound(`Graph '${input.source_graph_id}' is not blocked.`);
    return shownBlock(block);
  },
});
