import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { movementOf } from './company/demo-event.ts';
import { demoEvents } from './company.ts';

const events = demoEvents();
const days = [...new Set(events.map((event) => event.date))];
const yearEnds = ['2024-12-31', '2025-12-31'];

/** Account codes of a template file, whose rows may begin with a legal form. */
function codesIn(file: string, row: RegExp): string[] {
  const url = new URL(`../../../../plugins/ledger/data/templates/${file}`, import.meta.url);
  return [...readFileSync(url, 'utf8').matchAll(row)].map((match) => match[1] ?? '');
}

describe('demo company', () => {
  it('has 380 to 420 events of 2024 and 2025 in date order, the same in every run', () => {
    expect(events.length).toBeGreaterThanOrEqual(380);
    expect(events.length).toBeLessThanOrEqual(420);
    expect(days).toEqual(days.toSorted());
    expect(days.every((date) => date >= '2024-01-01' && date <= '2025-12-31')).toBe(true);
    expect(demoEvents()).toEqual(events);
  });

  it('gives each event a unique external id, so that a second delivery is recognized (ledger L-83)', () => {
    expect(new Set(events.map((event) => event.external_id)).size).toBe(events.length);
  });

  it.each(events.map((event) => [event.external_id, event] as const))(
    'balances the entry of event %s (ledger L-196)',
    (_id, event) => {
      expect(event.lines.length).toBeGreaterThanOrEqual(2);
      expect(event.lines.reduce((sum, line) => sum + line.debitCents - line.creditCents, 0)).toBe(0);
      for (const { debitCents, creditCents } of event.lines) {
        expect(Number.isSafeInteger(debitCents) && Number.isSafeInteger(creditCents)).toBe(true);
        expect(Math.min(debitCents, creditCents)).toBe(0);
        expect(Math.max(debitCents, creditCents)).toBeGreaterThan(0);
      }
    },
  );

  it('uses only accounts of the standard chart of a corporation', () => {
    const codes = new Set([
      ...codesIn('product.csv', /^(\d{4}),/gm),
      ...codesIn('equity.csv', /^corporation,(\d{4}),/gm),
    ]);
    const used = new Set(events.flatMap((event) => event.lines.map((line) => line.code)));
    expect([...used].filter((code) => !codes.has(code))).toEqual([]);
    expect(used.size).toBeGreaterThanOrEqual(35);
  });

  it('uses event types with a journal handler and categories of economic events (ledger 5.1, 5.5)', () => {
    const types = ['journal_entry_recorded', 'invoice_issued', 'bill_received', 'sales_receipt_recorded'];
    types.push('cash_expense_recorded', 'check_written', 'credit_card_charge', 'deposit_received');
    types.push('inventory_adjusted', 'payment_received', 'bill_paid');
    const categories = ['sales', 'purchase', 'financing', 'payroll', 'treasury', 'adjustment', 'recognition', 'other'];
    expect(new Set(events.map((event) => event.event_type))).toEqual(new Set(types));
    expect(new Set(events.map((event) => event.event_category))).toEqual(new Set(categories));
  });

  it('never has negative cash, inventory or liabilities on any day', () => {
    for (const to of days) {
      expect([to, movementOf(events, ['1000', '1020', '1050'], { to }) >= 0]).toEqual([to, true]);
      expect([to, movementOf(events, ['1200'], { to }) >= 0]).toEqual([to, true]);
      for (const code of ['1100', '1300'])
        expect([to, code, movementOf(events, [code], { to }) >= 0]).toEqual([to, code, true]);
      for (const code of ['2000', '2050', '2100', '2200', '2300', '2400', '2500', '2700']) {
        expect([to, code, movementOf(events, [code], { to }) <= 0]).toEqual([to, code, true]);
      }
    }
  });

  it.each(yearEnds)('keeps assets equal to liabilities, equity and earnings at %s', (to) => {
    const [assets, claims] = [movementOf(events, ['1'], { to }), movementOf(events, ['2', '3'], { to })];
    const earned = -movementOf(events, ['4', '5', '6', '7', '8'], { to });
    expect(assets).toBe(-claims + earned);
    expect(assets).toBeGreaterThan(0);
  });

  it('shows a small loss in the first year and a profit in the second, at a retail margin', () => {
    const [first, second] = yearEnds.map((to) => {
      const year = { from: `${to.slice(0, 4)}-01-01`, to };
      const revenue = -movementOf(events, ['4'], year);
      return {
        margin: (revenue - movementOf(events, ['5'], year)) / revenue,
        result: -movementOf(events, ['4', '5', '6', '7', '8'], year) / revenue,
      };
    });
    expect(first?.result).toBeGreaterThan(-0.05);
    expect(first?.result).toBeLessThan(0.02);
    expect(second?.result).toBeGreaterThan(0.02);
    expect(second?.result).toBeLessThan(0.12);
    for (const year of [first, second]) {
      expect(year?.margin).toBeGreaterThan(0.38);
      expect(year?.margin).toBeLessThan(0.55);
    }
  });
});
