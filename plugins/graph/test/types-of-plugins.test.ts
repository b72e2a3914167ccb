/** @module-tag sessions */
// Goal: a plugin adds types with rows to the graph of another one. Method: nodes of two plugins and a relationship
// between them are materialized from the store and read with Cypher; a second tenant has rows of its own.
import { defineNode, definePlugin, defineRelationship, sql } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import graph from '../src/index.ts';

const facts = { version: '1.0.0', kernel: '*' };

const Book = defineNode('Book', {
  extension: 'books',
  properties: { title: 'STRING' },
  async *rows() {
    yield [{ identifier: 'b1', title: 'Summa' }];
  },
});
const books = definePlugin({ ...facts, name: 'books', title: 'Books', domain: 'books', nodes: [Book] });

/** The store shows which tenant is read. */
const Loan = defineNode('Loan', {
  extension: 'loans',
  properties: { graph: 'STRING' },
  rows: ({ tx }) =>
    tx.stream(
      sql<{ identifier: string; graph: string }>`
        SELECT 'l1' AS identifier, current_setting('pacioli.graph_id') AS graph`,
      10,
    ),
});
const LoanOfBook = defineRelationship('LOAN_OF_BOOK', Loan, Book, {
  extension: 'loans',
  async *rows() {
    yield [{ from: 'l1', to: 'b1' }];
  },
});
const loans = definePlugin({
  ...facts,
  name: 'loans',
  title: 'Loans',
  domain: 'loans',
  dependsOn: ['books'],
  nodes: [Loan],
  relationships: [LoanOfBook],
});

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  service = await startTestService({ plugins: [loans, graph, books] });
  user = await service.newUser('Ann');
});
afterAll(() => service.close());

it('analytical types of a plugin join those of another, with rows of the graph (platform X-17)', async () => {
  for (const name of ['First', 'Second']) {
    const id = await user.createGraph(name, ['books', 'loans']);
    const accepted = await user.post(`/v1/graphs/${id}/operations/materialize`, {});
    expect((await user.follow(accepted.body.operationId)).body.status).toBe('completed');
    const query = 'MATCH (l:Loan)-[:LOAN_OF_BOOK]->(b:Book) RETURN b.title AS title, l.graph AS graph';
    const answer = await user.post(`/v1/graphs/${id}/query/cypher`, { query });
    expect(answer.body.data).toEqual([{ title: 'Summa', graph: id }]);
  }
});
