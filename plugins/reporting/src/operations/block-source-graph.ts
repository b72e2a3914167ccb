import { factStore } from '@pacioli/blocks';
import {
  defineOperation,
  eventPublisher,
  invalidInput,
  isGraphId,
  kernel,
  model,
  nullable,
  orgDirectory,
  ServiceError,
  textChanges,
} from '@pacioli/core';
import { linkedEntities } from '@pacioli/ledger';
import { Type } from 'typebox';
import { blockSource, investorDomain, namesOf, removeCopies } from '../distribution/index.ts';
import { BlockedSourceGraphResponse, shownBlock } from '../models/PublishList.ts';

const maxReasonCharacters = 2_000;

export default defineOperation({
  name: 'block-source-graph',
  summary: 'Refuses further reports of another graph, and deletes those it has sent if asked to.',
  role: 'member',
  domain: 'ledger',
  alternativeDomains: [investorDomain],
  openapi: { id: 'block_source_graph', tag: 'extensions_robo_ledger' },
  input: model('BlockSourceGraphOperation', {
    source_graph_id: Type.String({ minLength: 1, maxLength: 100 }),
    reason: Type.Optional(nullable(Type.String({ maxLength: maxReasonCharacters }))),
    purge: Type.Optional(Type.Boolean({ default: false })),
  }),
  output: model('BlockSourceGraphResult', {
    block: BlockedSourceGraphResponse,
    already_blocked: Type.Optional(Type.Boolean({ default: false })),
    purged_report_count: Type.Optional(Type.Integer({ default: 0 })),
    purged_report_ids: Type.Optional(Type.Array(Type.String())),
  }),
  mcp: { held: 'Decides whose reports the graph accepts.' },
  services: {
    events: eventPublisher,
    facts: factStore,
    graphs: kernel.graphs,
    ids: kernel.ids,
    linkedEntities,
    orgs: orgDirectory,
    store: kernel.store,
    textChanges,
  },
  errors: {
    INVALID_INPUT: 'The source has not the form of a graph id, or is the graph itself.',
    ADMIN_REQUIRED: { kind: 'forbidden', meaning: 'Only an admin of the graph deletes the reports of a source.' },
  },

  async prepare({ input, ctx, use }) {
    const { graph } = ctx;
    const { source_graph_id: sourceGraphId } = input;
    if (sourceGraphId === graph.id) throw invalidInput('A graph cannot block itself.');
    // The graph is not looked up, so that the answer does not tell whether it exists.
    if (!isGraphId(sourceGraphId) || !sourceGraphId.startsWith('kg'))
      throw invalidInput('source_graph_id: must be the id of a graph such as kg0123456789abcdef0123.');
    if (input.purge === true && graph.role !== 'admin') {
      throw new ServiceError('forbidden', 'ADMIN_REQUIRED', 'Purging shared reports requires the graph admin role.');
    }
    const linked = await use.store.transaction(
      { graphId: graph.id },
      (tx) => use.linkedEntities.find(tx, sourceGraphId),
      { readOnly: true },
    );
    return namesOf(use, [sourceGraphId], {
      orgId: graph.orgId,
      known: new Set(linked === undefined ? [] : [sourceGraphId]),
    });
  },

  async handle({ input, ctx, use, prepared }) {
    const { tx, caller, graph } = ctx;
    const sourceGraphId = input.source_graph_id;
    const names = prepared as Awaited<ReturnType<typeof namesOf>>; // Made by `prepare`.
    const { block, isNew } = await blockSource(tx, use.ids, {
      source_graph_id: sourceGraphId,
      source_graph_name: names.get(sourceGraphId)?.graphName ?? null,
      blocked_by: caller.userId,
      blocked_at: ctx.now(),
      reason: input.reason ?? null,
    });
    const purged =
      input.purge === true ? await removeCopies(tx, use, { sourceGraphId, sourceReportId: undefined }) : [];
    if (purged.length > 0) await use.graphs.markStale(tx, graph.id, 'report_share_revoked');
    return {
      block: shownBlock(block),
      already_blocked: !isNew,
      purged_report_count: purged.length,
      purged_report_ids: [...purged],
    };
  },
});
