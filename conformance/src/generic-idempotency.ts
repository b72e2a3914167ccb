import { randomUUID } from 'node:crypto';
import type { Client } from './client.ts';
import type { ConformanceCase } from './define-case.ts';
import { expectError, expectRefusedInput, textAt, valueAt } from './expectations.ts';
import { authorized, caseOf, type Subject } from './generic-subject.ts';
import { isObject, type JsonObject, listOf, objectOf } from './json.ts';
import { followOperation } from './run-resources.ts';
import { changedBody, sampleBody } from './sample-body.ts';

const maxKeyCharacters = 255;

/**
 * Sends a body generated from the schema twice with one key. If the domain accepts it, the second response must be a
 * replay and another body must be rejected; if it rejects the body, the key is released and the same error repeats.
 */
export function idempotencyCase(subject: Subject, schema: JsonObject): ConformanceCase {
  const title = 'a repeated Idempotency-Key replays an accepted request and retries a failed one';
  return caseOf(subject, {
    number: 'GEN-010',
    title,
    clause: 'platform N-20 to N-24',
    run: async (context) => {
      const { client, path } = await authorized(subject, context);
      const keyed = client.withHeaders({ 'idempotency-key': randomUUID() });
      const body = sampleBody(subject.document, schema);
      const first = await keyed.post(path, body);
      context.expectThat(
        first.status < 500,
        `A body generated from the schema must not cause an internal error: ${first.status}`,
      );
      const second = await keyed.post(path, body);
      context.expectStatus(first.status, second);
      if (first.status >= 300) {
        context.expectError(first.status, second);
        return;
      }
      for (const field of ['operationId', 'at', 'status', 'createdBy'])
        context.expectThat(
          textAt(first, field) === textAt(second, field),
          `The replay has another ${field}: ${textAt(first, field)}, then ${textAt(second, field)}`,
        );
      context.expectThat(
        valueAt(first, 'idempotentReplay') === false,
        'The first response must not say that it is a replay',
      );
      context.expectThat(
        valueAt(second, 'idempotentReplay') === true,
        'The second response must say that it is a replay',
      );
      await refusesAnotherBody(subject, keyed, path, body);
      // All cases share the graph, and a change of its tier in progress would refuse their writes.
      if (valueAt(first, 'status') === 'pending') await followOperation(client, textAt(first, 'operationId'));
    },
  });

  async function refusesAnotherBody(to: Subject, keyed: Client, path: string, body: unknown): Promise<void> {
    const other = isObject(body) ? changedBody(to.document, schema, body) : undefined;
    if (other === undefined) return; // A body without a free text has no second form that surely passes the schema.
    expectError(409, await keyed.post(path, other), 'IDEMPOTENCY_KEY_REUSED');
  }
}

export function keyLengthCase(subject: Subject, schema: JsonObject): ConformanceCase {
  return caseOf(subject, {
    number: 'GEN-011',
    title: 'an Idempotency-Key that is too long is rejected',
    clause: 'platform N-20',
    run: async (context) => {
      const { client, path } = await authorized(subject, context);
      const key = 'k'.repeat(maxKeyCharacters + 1);
      const answer = await client.post(path, sampleBody(subject.document, schema), { 'idempotency-key': key });
      expectRefusedInput('message', answer);
      const places = listOf(valueAt(answer, 'errors')).map((issue) => listOf(objectOf(issue)['loc'])[0]);
      context.expectThat(places.includes('header'), `Expected an issue in the header, got ${JSON.stringify(places)}`);
    },
  });
}
