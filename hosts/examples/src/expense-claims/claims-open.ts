import { defineCommand, kernel, model, notFound, sql } from '@pacioli/core';
import { Type } from 'typebox';

const maxClaims = 1_000;

/** `pacioli claims-open kg1a2b` */
export default defineCommand({
  name: 'claims-open',
  summary: 'Prints the claims of a graph that are not approved, the late ones first.',
  options: model('ClaimsOpenOptions', { graph: Type.String({ description: 'id of the graph' }) }),
  positional: ['graph'],
  services: { graphs: kernel.graphs },
  async run({ options: { graph: graphId }, ctx: { store, print }, use }) {
    const graph = await store.transaction('kernel', (tx) => use.graphs.find(tx, graphId));
    if (graph === undefined) throw notFound(`There is no graph '${graphId}'. Give the id of one, such as kg1a2b.`);
    const claims = await store.transaction({ graphId }, (tx) =>
      tx.query(sql<{ id: string; day: string; is_late: boolean }>`
        SELECT id, day, is_late FROM expense_claims_claim
        WHERE graph_id = ${graphId} AND entry_id IS NULL ORDER BY is_late DESC, day, id LIMIT ${maxClaims}`),
    );
    for (const { id, day, is_late: isLate } of claims) print(`${day} ${id}${isLate ? ' late' : ''}`);
  },
});
