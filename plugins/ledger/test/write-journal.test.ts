import type { TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JournalDecision, type JournalWork, writeJournal } from '../src/journal/index.ts';
import { type Books, done, openBooks, startLedger } from './books.ts';

let service: TestService;
let book: Books;
beforeAll(async () => {
  const started = await startLedger();
  service = started.service;
  book = await openBooks(started.user);
  await done(book, 'close-period', { period: '2026-03' });
});
afterAll(() => service.close());

const now = new Date('2026-04-01T12:00:00Z');
const conflict = { code: 'WRITE_CONFLICT', message: expect.stringContaining('The work of the test') };
const closed = { message: expect.stringContaining("Cannot write to closed period '2026-03'") };

/** Runs a work that decides as given, first and under the locks, and returns its steps. */
async function stepsOf(first: JournalDecision, second: JournalDecision = first): Promise<readonly string[]> {
  const steps: string[] = [];
  const work: JournalWork<JournalDecision, string> = {
    now,
    decide: async () => {
      steps.push('decide');
      return first;
    },
    decideAgain: async (before) => {
      expect(before).toBe(first);
      steps.push('decide again');
      return second;
    },
    apply: async (months, decision) => {
      expect(decision).toBe(first.locksRows ? second : first);
      steps.push(months.covers(['2026-04-30']) ? 'apply in 2026-04' : 'apply elsewhere');
      return 'applied';
    },
    settle: async (result) => {
      steps.push('settle');
      return `${result}, settled`;
    },
    limited: (result) => {
      steps.push(result);
      return [];
    },
  };
  await service.store.transaction({ graphId: book.graph }, (tx) => writeJournal(tx, work));
  return steps;
}

const subject = 'The work of the test';
const inApril = { subject, dates: { changed: ['2026-04-10'] }, locksRows: true };

describe('write-journal', () => {
  it('decides, decides again under the locks, writes, settles and checks limits, in this order (ledger L-150)', async () => {
    const steps = ['decide', 'decide again', 'apply in 2026-04', 'settle', 'applied, settled'];
    expect(await stepsOf(inApril)).toEqual(steps);
  });

  it('decides once when the work locks no rows', async () => {
    const steps = ['decide', 'apply in 2026-04', 'settle', 'applied, settled'];
    expect(await stepsOf({ subject, dates: { entries: ['2026-04-10'] }, locksRows: false })).toEqual(steps);
  });

  it('reports a conflict when the second decision needs a month that is not locked (ledger L-9, L-150)', async () => {
    const inMay = { subject, dates: { followed: ['2026-04-10', '2026-05-10'] }, locksRows: true };
    await expect(stepsOf(inApril, inMay)).rejects.toMatchObject(conflict);
    const sooner = { subject, dates: { entries: ['2026-04-01'] }, locksRows: true };
    expect(await stepsOf(inApril, sooner)).toContain('apply in 2026-04');
  });

  it('reports a conflict when the second decision adds more debits than there is capacity for (ledger L-2, L-9)', async () => {
    const adding = (amount: bigint) => ({ ...inApril, debits: { amount, currency: 'USD' } });
    await expect(stepsOf(adding(100n), adding(101n))).rejects.toMatchObject(conflict);
    await expect(stepsOf(inApril, adding(1n))).rejects.toMatchObject(conflict);
    expect(await stepsOf(adding(100n), adding(99n))).toContain('applied, settled');
  });

  it('refuses changed and added days in closed months, and leaves the others to the work (ledger L-151)', async () => {
    for (const kind of ['added', 'changed'])
      for (const locksRows of [true, false])
        await expect(stepsOf({ subject, dates: { [kind]: ['2026-03-10'] }, locksRows })).rejects.toMatchObject(closed);
    for (const kind of ['entries', 'followed'])
      expect(await stepsOf({ subject, dates: { [kind]: ['2026-03-10'] }, locksRows: false })).toContain(
        'apply elsewhere',
      );
  });

  it('refuses days beyond the limit of posting dates before it takes a lock (ledger L-17)', async () => {
    for (const kind of ['added', 'entries'])
      await expect(stepsOf({ subject, dates: { [kind]: ['2096-03-10'] }, locksRows: true })).rejects.toMatchObject({
        message: expect.stringContaining('2096-03-10 is more than 600 months after the current month'),
      });
    expect(await stepsOf({ subject, dates: { changed: ['2096-03-10'] }, locksRows: true })).toContain('settle');
  });
});
