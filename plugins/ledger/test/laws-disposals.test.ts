/** @module-tag sessions */

import { boundsOf, plusMonths } from '@pacioli/core/calendar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Books, done, entry } from './books.ts';
import { closeMonths, disposal, entryNamed, openWithVan, reversalOf, trialBalance } from './disposal-books.ts';
import { clock, service, useDisposalBooks, user } from './disposal-fixture.ts';
import { lawRuns, maxLawMs } from './law-runs.ts';
import { expectLaws } from './laws.ts';
import { obligations } from './schedule-books.ts';

useDisposalBooks();

const monthly = 70_000;
const months = 8;
const monthAt = (place: number): string => plusMonths('2026-01', place);

/** Eight months of depreciation; the van is sold in one of the first four, and the sale is undone later. */
const story = fc.record({
  soldIn: fc.nat(3),
  isMonthEnd: fc.boolean(),
  /** Months closed before the sale is undone, counted from its own month; with none, the draft is retracted. */
  closedAfter: fc.nat(3),
  sellsAgain: fc.boolean(),
});

async function closeOne(book: Books, place: number): Promise<void> {
  clock.set(`${monthAt(place + 1)}-01T12:00:00Z`);
  await done(book, 'promote-obligations', {});
  await closeMonths(book, monthAt(place));
}

/** Balances with the van at cost, less its depreciation. */
const withVan = (taken: number): Record<string, number> => ({
  1000: -27_000,
  1520: 27_000,
  ...(taken === 0 ? {} : { 1590: -taken / 100, 6900: taken / 100 }),
});

describe('an asset_disposed event that is undone at any time', () => {
  it('leaves every month depreciated, except those closed without the van, whenever a disposal is undone (ledger L-188, L-60, L-73, L-207)', {
    timeout: maxLawMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ soldIn, isMonthEnd, closedAfter, sellsAgain }) => {
        clock.set('2026-01-20T12:00:00Z');
        const { book, id } = await openWithVan(user, (own) => ({
          period_end: boundsOf(monthAt(months - 1)).end,
          schedule_metadata: {
            original_amount: 2_700_000,
            residual_value: 2_140_000,
            asset_element_id: own.id('1520'),
          },
        }));
        const bought = entry(book, '2026-01-01', [
          ['1520', 2_700_000, 0],
          ['1000', 0, 2_700_000],
        ]);
        await done(book, 'create-event-block', bought);
        for (let place = 0; place < soldIn; place += 1) await closeOne(book, place);
        const day = isMonthEnd ? boundsOf(monthAt(soldIn)).end : `${monthAt(soldIn)}-10`;
        const sale = await done(book, 'create-event-block', disposal(book, id, {}, day));
        for (let place = soldIn; place < soldIn + closedAfter; place += 1) await closeOne(book, place);
        const before = await expectLaws(service, book);
        const today = `${monthAt(soldIn + closedAfter)}-01`;
        if (closedAfter === 0) await done(book, 'update-event-block', { event_id: sale.id, transition_to: 'voided' });
        else {
          const { id: saleId } = await entryNamed(book, 'Van sold');
          await done(book, 'create-event-block', reversalOf(book, saleId, today));
        }
        await expectLaws(service, book, before);
        // Months closed after the van was sold: its own month counts unless the sale was at month end.
        const lost = Math.max(0, closedAfter - (isMonthEnd ? 1 : 0));
        const next = soldIn + closedAfter;
        if (sellsAgain) {
          const end = boundsOf(monthAt(next)).end;
          const again = await done(book, 'preview-event-block', disposal(book, id, {}, end));
          expect(again.handler_metadata).toMatchObject({ accumulated_depreciation_cents: monthly * (next + 1 - lost) });
        }
        for (let place = next; place < months; place += 1) await closeOne(book, place);
        expect(await trialBalance(book)).toEqual(withVan(monthly * (months - lost)));
        expect(await obligations(book, id)).toMatchObject({ fulfilled: months - lost });
        await expectLaws(service, book);
      }),
      lawRuns(4),
    );
  });
});
