import {
  type Contribution,
  contribute,
  documentTexts,
  eventPublisher,
  graphRemovalSteps,
  kernel,
  type Provider,
  provide,
  subgraphRemovals,
  textChanges,
} from '@pacioli/core';
import { countUploaded, findContents, splitFrontMatter } from './documents/index.ts';
import textsChanged from './events/texts-changed.ts';
import { addChangedTexts, removeSubgraphDocuments } from './indexing/index.ts';
import { createSearch, search, usedBySearch } from './search.ts';

export const providers: readonly Provider[] = [provide(search, { services: usedBySearch, create: createSearch })];

export const contributions: readonly Contribution[] = [
  contribute(documentTexts, 'search', {
    create: () => ({
      find: async (tx, documentIds) => {
        const rows = await findContents(tx, documentIds);
        return new Map(rows.map(({ document_id: id, content }) => [id, { id, body: splitFrontMatter(content).body }]));
      },
      count: countUploaded,
    }),
  }),
  contribute(textChanges, 'search', {
    services: { clock: kernel.clock, events: eventPublisher },
    create: ({ clock, events }) => ({
      changed: async (tx, textIds) => {
        await addChangedTexts(tx, textIds, clock.now());
        await events.publish(tx, textsChanged, { graph_id: tx.graphId }, tx.graphId);
      },
    }),
  }),
  contribute(graphRemovalSteps, 'search', {
    services: { index: kernel.searchIndex },
    create: ({ index }) => ({ remove: (graph, signal) => index.deleteGraph(graph.id, { signal }) }),
  }),
  contribute(subgraphRemovals, 'search', {
    services: { clock: kernel.clock },
    create: ({ clock }) => ({ removed: (tx, graphId) => removeSubgraphDocuments(tx, graphId, clock.now()) }),
  }),
];
