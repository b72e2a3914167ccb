import { randomUUID } from 'node:crypto';
import { defineCase } from '../src/define-case.ts';
import { textAt, valueAt } from '../src/expectations.ts';
import { graphRequest } from '../src/run-resources.ts';

export default defineCase({
  id: 'PLAT-008',
  level: 'MUST',
  title: 'only one of two parallel requests with the same key is executed',
  clause: 'platform N-21, N-22, N-24',
  async run({ newUser, expectStatus, expectError, expectThat }) {
    const { client } = await newUser();
    const keyed = client.withHeaders({ 'idempotency-key': randomUUID() });
    const body = graphRequest('Parallel');
    const both = await Promise.all([keyed.post('/v1/graphs', body), keyed.post('/v1/graphs', body)]);
    const accepted = both.filter((answer) => answer.status === 202);
    const [first] = accepted;
    if (first === undefined) throw new Error(`Neither request was accepted: ${both.map(({ status }) => status)}`);
    for (const answer of both) {
      if (answer.status === 202) continue;
      expectError(409, answer, 'IDEMPOTENCY_IN_PROGRESS');
    }
    const ids = new Set(accepted.map((answer) => textAt(answer, 'operationId')));
    const replays = accepted.filter((answer) => valueAt(answer, 'idempotentReplay') === true);
    expectThat(ids.size === 1, 'Both accepted responses must refer to one operation');
    expectThat(accepted.length - replays.length === 1, 'Exactly one response may say that it is not a replay');
    const third = await keyed.post('/v1/graphs', body);
    expectStatus(202, third);
    expectThat(textAt(third, 'operationId') === textAt(first, 'operationId'), 'The third response must be a replay');
    expectError(409, await keyed.post('/v1/graphs', graphRequest('Another')), 'IDEMPOTENCY_KEY_REUSED');
    const failing = client.withHeaders({ 'idempotency-key': randomUUID() });
    expectError(422, await failing.post('/v1/graphs', graphRequest('  ')));
    expectStatus(202, await failing.post('/v1/graphs', graphRequest('Second try')));
  },
});
