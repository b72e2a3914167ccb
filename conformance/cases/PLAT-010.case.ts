import { defineCase } from '../src/define-case.ts';
import { textAt, valueAt } from '../src/expectations.ts';
import { followOperation, graphRequest } from '../src/run-resources.ts';

export default defineCase({
  id: 'PLAT-010',
  level: 'MUST',
  title: 'the envelope and the status of an operation have the fields that clients read',
  clause: 'platform N-1, N-6, L-16 to L-19',
  async run({ newUser, expectStatus, expectError, expectBody, expectThat }) {
    const { client } = await newUser();
    const stranger = await newUser();
    const accepted = await client.post('/v1/graphs', graphRequest('Envelope'));
    expectStatus(202, accepted);
    expectBody(envelope, accepted);
    const id = textAt(accepted, 'operationId');
    const path = `/v1/operations/${id}`;
    const status = await followOperation(client, id);
    expectBody(completed, status);
    expectThat(valueAt(status, '_links.cancel') === undefined, 'A finished operation has no link to cancel it');
    expectError(409, await client.delete(path), 'INVALID_STATE');
    expectError(409, await client.post(`${path}/resume`, { input: {} }));
    for (const each of [`${path}/status`, `${path}/stream`]) expectError(403, await stranger.client.get(each));
    expectError(404, await client.get('/v1/operations/op_00000000000000000000000000/status'));
    expectStatus(422, await client.get('/v1/operations/nonsense/status'));
  },
});

const envelope = {
  type: 'object',
  required: ['operation', 'operationId', 'status', 'result', 'at', 'createdBy', 'idempotentReplay'],
  properties: {
    operation: { const: 'create-graph' },
    operationId: { type: 'string', pattern: '^op_[0-9A-HJKMNP-TV-Z]{26}$' },
    status: { const: 'pending' },
    at: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(Z|\\+00:00)$' },
    createdBy: { type: 'string', pattern: '^user_' },
    idempotentReplay: { const: false },
  },
};

const completed = {
  type: 'object',
  required: ['operation_id', 'operation_type', 'status', 'created_at', 'updated_at', 'message', '_links', 'result'],
  properties: {
    status: { const: 'completed' },
    _links: { type: 'object', required: ['stream', 'status'] },
    result: { type: 'object', required: ['graph_id'], properties: { graph_id: { pattern: '^kg[a-f0-9]{16,}$' } } },
  },
};
