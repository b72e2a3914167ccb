/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { Answer, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, type Loose, openBooks, startLedger } from './books.ts';
import { bodyOf, receipt, sale } from './receivable-books.ts';

let service: TestService;
let clock: Awaited<ReturnType<typeof startLedger>>['clock'];
let user: TestClient;
let book: Books;
beforeAll(async () => {
  let person: TestClient;
  ({ service, clock, user: person } = await startLedger());
  // The tests advance the clock beyond the lifetime of a session.
  const { key } = (await person.post('/v1/user/api-keys', { name: 'Books' })).body;
  user = service.anonymous.withHeaders({ 'x-api-key': key });
  book = await openBooks(user);
});
afterAll(() => service.close());

const recordOnce = (key: string, body: object): Promise<Answer> =>
  book.operation('create-event-block', body, { 'idempotency-key': key });

const statusOf = (operationId: string, reader = user) => reader.get(`/v1/operations/${operationId}/status`);

const invoice = (more: object = {}) =>
  bodyOf(book, { type: 'invoice_issued', amount: 500, legs: sale(500), more: { external_id: 'INV-1', ...more } });

/** Expects that a repeated call and the status both have the result of the first call. */
async function expectFirstResult(key: string, body: object, first: Answer): Promise<void> {
  expect((await recordOnce(key, body)).body).toEqual({ ...first.body, idempotentReplay: true });
  expect((await statusOf(first.body.operationId)).body).toMatchObject({
    operation_type: 'create-event-block',
    status: 'completed',
    graph_id: book.graph,
    result: first.body.result,
  });
}

describe('a recorded event whose result is restored from the log', () => {
  it('has no record that repeats it, and is repeated as it was after every change (platform N-5a, N-22)', async () => {
    const draft = bodyOf(book, { type: 'invoice_issued', amount: 700, legs: sale(700), status: 'draft' });
    const body = {
      ...draft,
      description: 'First',
      metadata: { ...draft.metadata, odd: [1.5, null, { b: 1e21, a: '' }] },
    };
    const first = await recordOnce('draft', body);
    expect([first.status, first.body.result.status]).toEqual([200, 'classified']);
    const records = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT id FROM kernel_operation WHERE id = ${first.body.operationId}`),
    );
    expect(records).toEqual([]);
    await expectFirstResult('draft', body, first);
    const eventId = first.body.result.id;
    const change = { event_id: eventId, description: 'Second', metadata_patch: { odd: 'changed' } };
    expect((await book.operation('update-event-block', change)).status).toBe(200);
    expect((await book.operation('update-event-block', { event_id: eventId, transition_to: 'voided' })).status).toBe(
      200,
    );
    await expectFirstResult('draft', body, first);
  });

  it('is repeated with what its own transaction settled, and without what settled it later (platform N-5a, ledger L-100)', async () => {
    const issued = invoice();
    const first = await recordOnce('invoice', issued);
    expect(first.status).toBe(200);
    const paid = bodyOf(book, {
      type: 'payment_received',
      amount: 500,
      legs: receipt(500),
      more: { discharges_event_id: first.body.result.id },
    });
    const payment = await recordOnce('payment', paid);
    expect([payment.status, payment.body.detail]).toEqual([200, undefined]);
    expect(payment.body.result.discharges_event_id).toBe(first.body.result.id);
    await expectFirstResult('invoice', issued, first);
    await expectFirstResult('payment', paid, payment);
  });

  it('refuses another body under its key, and a cancellation of what has completed (platform N-21, L-18)', async () => {
    const body = invoice({ external_id: 'INV-2' });
    const first = await recordOnce('used', body);
    const other = await recordOnce('used', { ...body, description: 'Another' });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    const canceled = await user.request('DELETE', `/v1/operations/${first.body.operationId}`);
    expect([canceled.status, canceled.body.detail]).toEqual([409, 'Cannot cancel operation in completed state']);
  });

  it('shows its status to its user and to admins of its graph alone, also as a stream (platform L-16, V-1)', async () => {
    const { operationId } = (await recordOnce('mine', invoice({ external_id: 'INV-3' }))).body;
    expect((await statusOf(operationId, await service.newUser('Eve'))).status).toBe(403);
    const frames: string[] = [];
    for await (const { event, data } of user.stream(`/v1/operations/${operationId}/stream`))
      frames.push(`${event} ${data.status}`);
    expect(frames).toEqual(['connected completed', 'stream_end completed']);
  });

  it('is forgotten when the retention of records ends, while its audit row stays (platform L-20, N-23)', async () => {
    const body = invoice({ external_id: 'INV-4' });
    const first = await recordOnce('old', body);
    clock.advance(86_400_001);
    const again = await recordOnce('old', body);
    expect([again.status, again.body.code]).toEqual([409, 'ALREADY_EXISTS']);
    expect((await statusOf(first.body.operationId)).status).toBe(200);
    clock.advance(6 * 86_400_000);
    expect((await statusOf(first.body.operationId)).status).toBe(404);
    const [audited] = await service.store.transaction('kernel', (tx) =>
      tx.query(
        sql<Loose>`SELECT status, touched FROM kernel_operation_audit WHERE operation_id = ${first.body.operationId}`,
      ),
    );
    expect(audited).toEqual({ status: 'completed', touched: { id: [first.body.result.id] } });
  });
});
