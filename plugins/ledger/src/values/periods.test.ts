import { plusMonths } from '@pacioli/core/calendar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  catchUpSequence,
  firstPeriods,
  maxPeriods,
  periodsBetween,
  problemOfCalendar,
  problemOfPostingDate,
} from './periods.ts';

const none = { closedThrough: null, fiscalYearStartMonth: 1, earliestDataPeriod: null };

describe('months', () => {
  it('are listed between two months, both included', () => {
    const month = fc.record({ year: fc.integer({ min: 1900, max: 2200 }), month: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(month, fc.integer({ min: 0, max: 500 }), (start, count) => {
        const first = `${start.year}-${String(start.month).padStart(2, '0')}`;
        const last = plusMonths(first, count);
        const months = periodsBetween(first, last);
        expect([months.length, months[0], months.at(-1)]).toEqual([count + 1, first, last]);
        if (count > 0) expect(periodsBetween(last, first)).toEqual([]);
      }),
    );
  });
});

describe('the years of the books', () => {
  it('bound every list of months, also where the year would get a fifth digit', () => {
    expect(periodsBetween('9999-11', '9999-12')).toEqual(['9999-11', '9999-12']);
    expect(periodsBetween('1900-01', '2099-12')).toHaveLength(maxPeriods);
  });

  it('bound posting dates and the start of a calendar', () => {
    expect(problemOfPostingDate('1900-01-01')).toBeUndefined();
    expect(problemOfPostingDate('2099-12-31')).toBeUndefined();
    for (const date of ['1899-12-31', '2100-01-01', '9999-12-31', '0001-01-01'])
      expect(problemOfPostingDate(date)).toContain('between 1900 and 2099');
    for (const value of ['0000-05-05', '2026-02-30', 'soon', 20260101, undefined])
      expect(problemOfPostingDate(value)).toContain('a calendar date');
    expect(problemOfCalendar({ ...none, earliestDataPeriod: '0001-01' }, '2026-11')).toContain('earliest_data_period');
    expect(problemOfCalendar({ ...none, closedThrough: '1899-12' }, '2026-11')).toContain('closed_through');
  });
});

describe('a new fiscal calendar', () => {
  it('has two years of open months by default (ledger L-14)', () => {
    const periods = firstPeriods(none, '2026-11');
    expect(periods).toHaveLength(24);
    expect(periods[0]).toEqual({ name: '2024-12', status: 'open' });
    expect(periods.at(-1)).toEqual({ name: '2026-11', status: 'open' });
  });

  it('begins no later than the last closed month, which it contains as closed (ledger L-14)', () => {
    const periods = firstPeriods({ ...none, closedThrough: '2026-01', earliestDataPeriod: '2026-03' }, '2026-04');
    expect(periods).toEqual([
      { name: '2026-01', status: 'closed' },
      { name: '2026-02', status: 'open' },
      { name: '2026-03', status: 'open' },
      { name: '2026-04', status: 'open' },
    ]);
  });

  it('refuses to close a month that is not over, or to begin in the future (ledger L-13)', () => {
    expect(problemOfCalendar({ ...none, closedThrough: '2026-11' }, '2026-11')).toContain('last completed month');
    expect(problemOfCalendar({ ...none, closedThrough: '2026-10' }, '2026-11')).toBeUndefined();
    expect(problemOfCalendar({ ...none, earliestDataPeriod: '2026-12' }, '2026-11')).toContain('current month');
  });

  it('lists the months between the last closed one and the close target (ledger L-147)', () => {
    expect(catchUpSequence({ closedThrough: '2026-01', closeTarget: '2026-03', earliestOpen: '2026-02' })).toEqual([
      '2026-02',
      '2026-03',
    ]);
    expect(catchUpSequence({ closedThrough: null, closeTarget: '2026-03', earliestOpen: '2026-03' })).toEqual([
      '2026-03',
    ]);
    expect(catchUpSequence({ closedThrough: '2026-03', closeTarget: '2026-03', earliestOpen: '2026-04' })).toEqual([]);
    expect(catchUpSequence({ closedThrough: '2026-03', closeTarget: null, earliestOpen: '2026-04' })).toEqual([]);
  });
});
