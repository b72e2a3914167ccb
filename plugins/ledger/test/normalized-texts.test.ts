import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, counts, entry, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
});
afterAll(() => service.close());

const everyone = '{ agents(isActive: null, limit: 1000) { id name email updatedAt } }';

const blank = { lei: ' ', email: '', phone: '\n', legal_name: '' };
const none = { lei: null, email: null, phone: null, legal_name: null };
const padded = { lei: ' 5493001KJTIIGC8Y1R12 ', email: 'A@B.CO\n', phone: ' 1 ', legal_name: 'P ' };
const kept = { lei: '5493001KJTIIGC8Y1R12', email: 'A@B.CO', phone: '1', legal_name: 'P' };

describe('texts of an agent', () => {
  it('stores blank texts of an agent as null, so that two agents may have a blank external id (ledger L-33)', async () => {
    for (const name of ['No id', 'No id either']) {
      const body = { agent_type: 'customer', name, external_id: '', ...blank };
      const made = await book.operation('create-agent', body);
      expect([made.status, made.body.result]).toEqual([200, expect.objectContaining({ ...none, external_id: null })]);
    }
  });

  it('stores texts of an agent without surrounding whitespace, which does not make an external id unique (ledger L-33)', async () => {
    const body = { agent_type: 'customer', name: 'Padded', external_id: ' c-7\n', ...padded };
    expect((await book.operation('create-agent', body)).body.result).toMatchObject({ ...kept, external_id: 'c-7' });
    const before = await book.query(everyone);
    for (const externalId of ['c-7', ' c-7\n']) {
      const again = await book.operation('create-agent', { ...body, external_id: externalId });
      expect([again.status, again.body.detail]).toEqual([
        409,
        "Agent with source='native' and external_id='c-7' already exists.",
      ]);
    }
    expect(await book.query(everyone)).toEqual(before);
  });

  it('clears a text of an agent with a blank one, and keeps it when the field is omitted (ledger L-35)', async () => {
    const body = { agent_type: 'customer', name: 'Changed', external_id: 'c-8', ...padded };
    const { id } = (await book.operation('create-agent', body)).body.result;
    const update = async (change: object) =>
      (await book.operation('update-agent', { agent_id: id, ...change })).body.result;
    expect(await update({ ...none, name: 'Renamed' })).toMatchObject({ ...kept, name: 'Renamed' });
    expect(await update(blank)).toMatchObject({ ...none, external_id: 'c-8' });
    expect(await update(padded)).toMatchObject(kept);
  });
});

describe('external_id of an event', () => {
  it('stores a blank external_id of an event as null, and others without surrounding whitespace (ledger L-83)', async () => {
    const own = await openBooks(user);
    const legs = [
      ['1000', 7, 0],
      ['4000', 0, 7],
    ] as const;
    const record = (externalId: string) =>
      own.operation('create-event-block', entry(own, '2026-03-31', legs, { external_id: externalId }));
    for (const empty of ['', '', ' \n']) {
      const made = await record(empty);
      expect([made.status, made.body.result?.external_id]).toEqual([200, null]);
    }
    const first = await record(' po-88 ');
    expect(first.body.result.external_id).toBe('po-88');
    for (const same of ['po-88', 'po-88\n']) {
      const again = await record(same);
      expect([again.status, again.headers.get('x-existing-event-id')]).toEqual([409, first.body.result.id]);
    }
    expect((await own.query(counts))['summary'].transactionCount).toBe(4);
  });
});
