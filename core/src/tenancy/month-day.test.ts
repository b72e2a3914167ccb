import { describe, expect, it } from 'vitest';
import { monthDayOf } from './month-day.ts';

describe('monthDayOf', () => {
  it.each([
    ['12-31', '12-31'],
    ['1231', '12-31'],
    ['0229', '02-29'],
    ['01-01', '01-01'],
  ])('reads %s as %s (graphs G-22)', (text, expected) => {
    expect(monthDayOf(text)).toBe(expected);
  });

  it.each(['13-01', '0230', '00-10', '1-1', '12-00', '2026-12-31', '12/31', '-1231', ''])(
    'rejects "%s" (graphs G-22)',
    (text) => {
      expect(monthDayOf(text)).toBeUndefined();
    },
  );
});
