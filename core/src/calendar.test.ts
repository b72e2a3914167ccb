import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  daysBetween,
  isCalendarDate,
  monthOf,
  monthsBetween,
  plusDays,
  plusMonths,
  startOfMonth,
} from './calendar.ts';

const days = fc
  .date({ min: new Date('1600-01-01T00:00:00Z'), max: new Date('2999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));
const months = days.map((day) => day.slice(0, 7));

describe('calendar dates', () => {
  it('agree with the clock when days are added and counted', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -100_000, max: 100_000 }), (day, count) => {
        const later = plusDays(day, count);
        expect(Date.parse(later) - Date.parse(day)).toBe(count * 86_400_000);
        expect(daysBetween(day, later)).toBe(count);
      }),
    );
  });

  it.each([
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['1900-02-29', false],
    ['2000-02-29', true],
    ['2026-12-31', true],
    ['0001-01-01', true],
    ['9999-12-31', true],
    ['0000-01-01', false],
    ['2026-00-10', false],
    ['2026-13-01', false],
    ['2026-04-31', false],
    ['2026-04-00', false],
    ['2026-4-3', false],
    ['20260403', false],
    ['2026-04-03T00:00', false],
    ['-002026-04-03', false],
    [' 2026-04-03', false],
    ['', false],
  ])('recognize %j as a day that exists: %s', (text, isDay) => {
    expect(isCalendarDate(text)).toBe(isDay);
  });
});

describe('months', () => {
  it('can be added, subtracted and counted', () => {
    expect(plusMonths('2025-12', 1)).toBe('2026-01');
    expect(plusMonths('2026-01', -1)).toBe('2025-12');
    fc.assert(
      fc.property(months, fc.integer({ min: -500, max: 500 }), (month, count) => {
        const other = plusMonths(month, count);
        expect(plusMonths(other, -count)).toBe(month);
        expect(monthsBetween(month, other)).toBe(count);
      }),
    );
  });

  it('begin on their first day and end a day before the next month', () => {
    expect(boundsOf('2024-02')).toEqual({ start: '2024-02-01', end: '2024-02-29' });
    expect(boundsOf('2026-02').end).toBe('2026-02-28');
    fc.assert(
      fc.property(months, (month) => {
        const { start, end } = boundsOf(month);
        expect([start, plusDays(end, 1)]).toEqual([`${month}-01`, `${plusMonths(month, 1)}-01`]);
        expect(monthOf(startOfMonth(month))).toBe(month);
        expect(monthOf(new Date(startOfMonth(month).getTime() - 1))).toBe(plusMonths(month, -1));
      }),
    );
  });
});
