/** @module-tag sessions */
// Goal: a read is priced by the size of its response. Method: three of the longest pages of entries cost 900 of the
// 1000 points of a request, and further reads just exceed the limit.
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
});
afterAll(() => service.close());

const filler = [0, 1, 2].map((offset) => `f${offset}: journalEntries(limit: 1000, offset: ${offset}) { __typename }`);
const document = (times: number, field: string): string =>
  `{ ${filler.join(' ')} ${Array.from({ length: times }, (_, index) => `a${index}: ${field} { __typename }`).join(' ')} }`;

describe('query cost of ledger reads', () => {
  it.each([
    ['accounts', 6, 1020],
    ['transactions', 6, 1020],
    ['journalEntries', 4, 1020],
    ['trialBalance', 4, 1020],
    ['mappedTrialBalance(mappingId: "none")', 4, 1020],
    ['accountRollups', 4, 1020],
    ['accountTree', 2, 1020],
    ['openReceivablesByAgent', 2, 1100],
    ['openPayablesByAgent', 2, 1100],
  ])('counts a page without a limit and a whole list: %s (platform E-24)', async (field, times, points) => {
    const refused = (await user.graphql(book.graph, document(times, field))).body;
    expect(refused.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
    expect(refused.errors[0].message).toContain(`costs ${points} points`);
    const allowed = (await user.graphql(book.graph, document(1, field))).body;
    expect(allowed.errors).toBeUndefined();
  });

  it('allows all reads of a dashboard in one request', async () => {
    const data = await book.query(`{
      accounts { pagination { limit } } transactions { pagination { limit } } journalEntries { pagination { limit } }
      trialBalance { totalDebits } accountTree { totalAccounts } accountRollups { totalMapped }
      openReceivables { totalOpenCents } openReceivablesByAgent { agentId }
      openPayables { totalOpenCents } openPayablesByAgent { agentId }
      agents { id } eventBlocks { id } periodCloseStatus(periodStart: "2026-03-01", periodEnd: "2026-03-31") { __typename }
    }`);
    for (const name of ['accounts', 'transactions', 'journalEntries']) expect(data[name].pagination.limit).toBe(100);
  });
});
