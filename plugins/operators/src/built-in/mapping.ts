import { ServiceError, type Transaction } from '@pacioli/core';
import type { AutoMapper, TaxonomyReads } from '@pacioli/taxonomy';
import { mappingScore, type Operator, type OperatorContext } from '../catalog/index.ts';

/**
 * Maps accounts to reporting concepts as `auto-map-elements` does, with the scorer of the taxonomy and a mapping model if
 * the deployment has one (taxonomy section 5). It needs no language model of its own.
 */
export function mapping(use: {
  readonly autoMapper: AutoMapper;
  readonly reads: TaxonomyReads;
}): Omit<Operator, 'key'> {
  return {
    name: 'Mapping Operator',
    description: 'Maps the accounts of a chart to reporting concepts; doubtful ones are left for review.',
    version: '1.0.0',
    author: 'Pacioli',
    tags: ['mapping'],
    capabilities: ['financial_analysis', 'compliance'],
    modes: ['extended'],
    needsModel: false,
    fits: ({ extensions, parentId }) => extensions.includes('ledger') && parentId === undefined,
    canHandle: mappingScore,
    run: async (ctx) => {
      const mappingId = await mappingOf(ctx, use.reads);
      const outcome = await use.autoMapper.run({
        graphId: ctx.graph.id,
        mappingId,
        userId: ctx.caller.userId,
        operationId: ctx.operationId,
        requestId: ctx.requestId,
        attempt: ctx.attempt,
        signal: ctx.signal,
        now: ctx.now,
        transaction: ctx.transaction,
        report: ({ message, percent }) => ctx.progress(message, percent),
      });
      const { message, ...counts } = outcome;
      return { content: message, confidence: 0.9, metadata: { mapping_id: mappingId, ...counts }, isFlat: true };
    },
  };
}

/** The mapping of the request's context, or else the only one of the graph. */
async function mappingOf(ctx: OperatorContext, reads: TaxonomyReads): Promise<string> {
  const given = ctx.extra['mapping_id'];
  const found = await ctx.transaction(
    async (tx: Transaction) =>
      typeof given === 'string'
        ? [(await reads.mapping(tx, given))?.id]
        : (await reads.mappings(tx)).map(({ id }) => id),
    { readOnly: true },
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const message =
    typeof given === 'string'
      ? 'Mapping not found'
      : `This graph has ${found.length} mappings. Name one in context.mapping_id.`;
  throw new ServiceError('not_found', 'MAPPING_NOT_FOUND', message);
}
