import { defineCase } from '../src/define-case.ts';
import { textAt, valueAt } from '../src/expectations.ts';

export default defineCase({
  id: 'GQL-001',
  level: 'MUST',
  title: 'errors in a document return 200 with a code, errors of the caller an HTTP status',
  clause: 'platform E-20 to E-22, E-26',
  async run({ tenants, anonymous, expectStatus, expectError, expectThat }) {
    const { owner, stranger, graphId } = await tenants();
    const hello = await owner.client.graphql(graphId, '{ hello }');
    expectStatus(200, hello);
    expectThat(textAt(hello, 'data.hello').includes(owner.email), 'hello must name the caller');
    expectStatus(200, await anonymous.graphql(graphId, '{ hello __schema { queryType { name } } }'));
    const codes = [
      ['{ hello', 'GRAPHQL_PARSE_FAILED'],
      ['{ thereIsNoSuchQuery }', 'GRAPHQL_VALIDATION_FAILED'],
      [`{ ${Array.from({ length: 40 }, (_none, index) => `a${index}: hello`).join(' ')} }`, 'QUERY_TOO_COMPLEX'],
    ] as const;
    for (const [query, code] of codes) {
      const answer = await owner.client.graphql(graphId, query);
      expectStatus(200, answer);
      const given = valueAt(answer, 'errors.0.extensions.code');
      expectThat(given === code, `Expected ${code}, got ${given}`);
    }
    expectError(401, await anonymous.withHeaders({ 'x-api-key': 'rfsnonsense' }).graphql(graphId, '{ hello }'));
    expectError(403, await stranger.client.graphql(graphId, '{ hello }'));
    const unknown = `kg${'0'.repeat(20)}`;
    expectError(403, await stranger.client.graphql(unknown, '{ hello }'));
  },
});
