import { describe, expect, it } from 'vitest';
import { daysOf, usagePeriod } from './usage-period.ts';

const now = new Date('2026-03-31T10:00:00Z');

describe('usage-period', () => {
  it.each([
    ['24h', '2026-03-30T10:00:00.000Z', 1],
    ['7d', '2026-03-24T10:00:00.000Z', 7],
    ['30d', '2026-03-01T10:00:00.000Z', 30],
    ['current_month', '2026-03-01T00:00:00.000Z', 30],
  ] as const)('%s starts at %s and ends now (graphs H-31)', (range, start, days) => {
    const period = usagePeriod(range, now);
    expect([period.start.toISOString(), daysOf(period)]).toEqual([start, days]);
    expect(period.end.getTime()).toBe(now.getTime() + 1);
  });

  it('last_month covers the whole previous month, also across a year boundary (graphs H-31)', () => {
    const period = usagePeriod('last_month', new Date('2026-01-15T00:00:00Z'));
    expect([period.start.toISOString(), period.end.toISOString()]).toEqual([
      '2025-12-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ]);
  });
});
