import { defineCase } from '../src/define-case.ts';
import { textAt } from '../src/expectations.ts';

export default defineCase({
  id: 'PLAT-006',
  level: 'MUST',
  title: 'a key bound to a graph gives access to that graph and nothing else of the account',
  clause: 'platform K-3',
  async run({ graph, tenants, anonymous, expectStatus, expectError }) {
    const owner = await graph.owner();
    const own = await graph.id();
    const { graphId: other } = await tenants();
    const created = await owner.post('/v1/user/api-keys', { name: 'Bound', graph_id: own });
    expectStatus(201, created);
    const bound = anonymous.withHeaders({ 'x-api-key': textAt(created, 'key') });
    expectStatus(200, await bound.graphql(own, '{ hello }'));
    expectStatus(200, await bound.get('/v1/user'));
    expectError(403, await bound.graphql(other, '{ hello }'));
    expectError(403, await bound.get('/v1/orgs'), 'KEY_SCOPE');
    expectError(403, await owner.post('/v1/user/api-keys', { name: 'Foreign', graph_id: other }));
    expectError(400, await owner.post('/v1/user/api-keys', { name: 'Wrong', graph_id: 'not-a-graph' }));
  },
});
