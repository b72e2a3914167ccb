import { defineQuery, model, nullable, pageOf } from '@pacioli/core';
import { Type } from 'typebox';
import { informationBlock } from '../models/information-block.ts';
import { blockEnvelopes } from '../tokens.ts';

const defaultBlocksPerPage = 50;
const maxBlocksPerPage = 200;
const text = Type.Optional(nullable(Type.String()));
const count = Type.Optional(nullable(Type.Integer()));

/** The scenario selects the facts that each block shows; it does not select blocks (reporting B-20). */
export default defineQuery({
  name: 'informationBlocks',
  summary: 'One page of blocks: the graph’s own first, then those of the library.',
  args: model('InformationBlocksArgs', {
    block_type: text,
    category: text,
    limit: count,
    offset: count,
    scenario_id: text,
  }),
  returns: Type.Array(informationBlock),
  mcp: { tool: 'list-information-blocks', hint: 'Look here for the id of a block.' },
  services: { blockEnvelopes },
  cost: { points: 100, maxRows: maxBlocksPerPage },
  async resolve({ args, ctx, use }) {
    const page = await use.blockEnvelopes.list(ctx.tx, {
      ...pageOf(args, { defaultLimit: defaultBlocksPerPage, maxLimit: maxBlocksPerPage }),
      ...(args.block_type == null ? {} : { blockType: args.block_type }),
      ...(args.category == null ? {} : { category: args.category }),
      ...(args.scenario_id == null ? {} : { scenarioId: args.scenario_id }),
    });
    return [...page];
  },
});
