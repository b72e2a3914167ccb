import { describe, expect, it } from 'vitest';
import { parseInstant } from './expiry.ts';

describe('parseInstant', () => {
  it('reads UTC without a zone and midnight without a time (platform K-2)', () => {
    expect(parseInstant('2027-03-01')?.toISOString()).toBe('2027-03-01T00:00:00.000Z');
    expect(parseInstant('2027-03-01T10:30')?.toISOString()).toBe('2027-03-01T10:30:00.000Z');
    expect(parseInstant('2027-03-01T10:30:00+02:00')?.toISOString()).toBe('2027-03-01T08:30:00.000Z');
    expect(parseInstant('2027-03-01 10:30:00.123456+0200')?.toISOString()).toBe('2027-03-01T08:30:00.123Z');
  });

  it('rejects text that is not a date', () => {
    const wrong = ['', 'tomorrow', '2027-02-30', '2027-13-01', '2027-03-01T25:00:00Z', '03/01/2027', '2027-03-01T10'];
    expect(wrong.map(parseInstant)).toEqual(wrong.map(() => undefined));
  });
});
