import { randomUUID } from 'node:crypto';
import { isStream } from '../src/client.ts';
import { defineCase } from '../src/define-case.ts';
import { textAt, valueAt } from '../src/expectations.ts';
import { followOperation, graphRequest } from '../src/run-resources.ts';

export default defineCase({
  id: 'PLAT-009',
  level: 'MUST',
  title: 'a canceled operation stays canceled, its stream ends, and its key can be used again',
  clause: 'platform L-7, L-18, N-24',
  async run({ newUser, expectStatus, expectError, expectThat, skip }) {
    const { client } = await newUser();
    const keyed = client.withHeaders({ 'idempotency-key': randomUUID() });
    const accepted = await keyed.post('/v1/graphs', graphRequest('Cancelled'));
    expectStatus(202, accepted);
    const path = `/v1/operations/${textAt(accepted, 'operationId')}`;
    const cancelled = await client.delete(path);
    if (cancelled.status === 409) skip('the operation ended before it could be cancelled');
    expectStatus(200, cancelled);
    expectThat(valueAt(cancelled, 'cancelled') === true, 'The field cancelled must be true, because clients test it');
    expectError(409, await client.delete(path), 'INVALID_STATE');
    const status = await followOperation(client, textAt(accepted, 'operationId'));
    expectThat(valueAt(status, 'status') === 'cancelled', `Expected cancelled, got ${valueAt(status, 'status')}`);
    const stream = await client.openStream(`${path}/stream`);
    if (!isStream(stream)) throw new Error(`The stream was rejected with ${stream.status}`);
    const events: (string | undefined)[] = [];
    for await (const frame of stream.frames()) events.push(frame.event);
    expectThat(
      events.at(-1) === 'stream_end' && events.at(-2) === 'operation_cancelled',
      `Expected operation_cancelled and stream_end at the end, got ${events.join(', ')}`,
    );
    const again = await keyed.post('/v1/graphs', graphRequest('Cancelled'));
    expectStatus(202, again);
    expectThat(textAt(again, 'operationId') !== textAt(accepted, 'operationId'), 'The key must start a new operation');
  },
});
