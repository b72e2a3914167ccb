import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { demoEvents, years } from './company.ts';

const events = demoEvents();

function balance(code: RegExp, until: string): number {
  const lines = events.filter((event) => event.date <= until).flatMap((event) => event.lines);
  return lines.filter((line) => code.test(line.code)).reduce((sum, line) => sum + line.debit - line.credit, 0);
}

describe('the books of the demo company', () => {
  it('are some four hundred events of two years, in order, each with an id of its own', () => {
    expect(events.length).toBeGreaterThan(380);
    expect(events.length).toBeLessThan(420);
    expect(new Set(events.map((event) => event.externalId)).size).toBe(events.length);
    expect(events.map((event) => event.date)).toEqual(events.map((event) => event.date).toSorted());
    expect(events.every((event) => years.some((year) => event.date.startsWith(`${year}-`)))).toBe(true);
  });

  it('balance in every event, in whole cents', () => {
    for (const event of events) {
      expect(event.lines.reduce((sum, line) => sum + line.debit - line.credit, 0)).toBe(0);
      expect(
        event.lines.every(
          (line) =>
            Number.isSafeInteger(line.debit) && Number.isSafeInteger(line.credit) && line.debit * line.credit === 0,
        ),
      ).toBe(true);
    }
  });

  it('use accounts of the chart for shops only', () => {
    const chart = readFileSync(
      new URL('../../../../plugins/ledger/data/templates/product.csv', import.meta.url),
      'utf8',
    );
    const equity = readFileSync(
      new URL('../../../../plugins/ledger/data/templates/equity.csv', import.meta.url),
      'utf8',
    );
    const codes = new Set(
      [...chart.matchAll(/^(\d{4}),/gm), ...equity.matchAll(/^corporation,(\d{4}),/gm)].map(([, code]) => code),
    );
    expect(events.flatMap((event) => event.lines).filter((line) => !codes.has(line.code))).toEqual([]);
  });

  it('never run out of cash or stock, and turn a profit in the second year', () => {
    for (const date of new Set(events.map((event) => event.date).filter((each) => each >= '2024-01-04'))) {
      expect({ date, cash: balance(/^1000$/, date) > 0, stock: balance(/^1200$/, date) > 0 }).toEqual({
        date,
        cash: true,
        stock: true,
      });
    }
    const first = -balance(/^[4-8]/, '2024-12-31');
    const second = -balance(/^[4-8]/, '2025-12-31') - first;
    expect(second).toBeGreaterThan(first);
    expect(second).toBeGreaterThan(0);
  });
});
