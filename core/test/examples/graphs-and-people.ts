import { createToken, kernel, orgDirectory, provide, type Transaction } from '@pacioli/core';

/** Names a graph with its organization, in a kernel transaction: "Mill (My Organization)". */
export type GraphTitle = (tx: Transaction, graphId: string) => Promise<string>;

export const graphTitle = createToken<GraphTitle>('reminders.graph-title');

export const graphTitleProvider = provide(graphTitle, {
  services: { graphs: kernel.graphs, orgs: orgDirectory },
  create:
    ({ graphs, orgs }): GraphTitle =>
    async (tx, graphId) => {
      const graph = await graphs.find(tx, graphId);
      return graph === undefined ? graphId : `${graph.name} (${await orgs.nameOf(tx, graph.orgId)})`;
    },
});
