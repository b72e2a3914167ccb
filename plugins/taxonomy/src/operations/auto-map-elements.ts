import { defineOperation, kernelSettings, model, operationLinks } from '@pacioli/core';
import { Type } from 'typebox';
import { autoMapElementsResult } from '../models/auto-map.ts';
import { authoring } from '../providers.ts';

const autoMapElementsOperation = model('AutoMapElementsOperation', { mapping_id: Type.String() });

const name = 'auto-map-elements';

export default defineOperation({
  name,
  summary: 'Maps accounts without a reporting concept by their names.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'auto_map_elements', tag: 'extensions_robo_ledger' },
  input: autoMapElementsOperation,
  output: autoMapElementsResult,
  untypedResult: true,
  runs: 'worker',
  maxSeconds: 600,
  // A second attempt skips the arcs of the first, because only accounts without one are read (taxonomy AM-10).
  restartable: true,
  // Concurrent runs over one mapping would pay for the same model calls twice (taxonomy AM-1).
  joins: ({ mapping_id }) => mapping_id,
  services: { authoring, settings: kernelSettings },
  mcp: { held: 'Maps many accounts at once; the operator for mapping does it with a review.' },
  errors: { NOT_FOUND: { kind: 'not_found', meaning: 'The mapping is not in this graph.' } },

  async admit({ input, ctx, use }) {
    await use.authoring.autoMapper.requireMapping(ctx.tx, input.mapping_id);
    const { stream, status, cancel } = operationLinks(use.settings, ctx.operationId);
    return {
      operation_type: name,
      mapping_id: input.mapping_id,
      deduplicated: false,
      _links: { stream, status, cancel },
    };
  },

  async handle({ input, ctx, use }) {
    const { graph } = ctx;
    if (graph === undefined) throw new Error('auto-map-elements belongs to a graph, but its run has none.');
    return use.authoring.autoMapper.run({
      graphId: graph.id,
      mappingId: input.mapping_id,
      userId: ctx.caller.userId,
      operationId: ctx.operationId,
      requestId: ctx.requestId,
      attempt: ctx.attempt,
      signal: ctx.signal,
      now: ctx.now,
      transaction: ctx.transaction,
      report: ctx.report,
    });
  },
});
