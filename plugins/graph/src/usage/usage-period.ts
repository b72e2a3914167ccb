import { ServiceError } from '@pacioli/core';
import { monthOf, plusMonths, startOfMonth } from '@pacioli/core/calendar';

/** The time ranges of the usage report (graphs H-31). */
const timeRanges = ['24h', '7d', '30d', 'current_month', 'last_month'] as const;
export type TimeRange = (typeof timeRanges)[number];

/** Parses a range; throws a 422 that lists all of them. */
export function timeRange(text: string): TimeRange {
  const range = timeRanges.find((candidate) => candidate === text);
  if (range !== undefined) return range;
  const msg = `Must be one of: ${timeRanges.join(', ')}`;
  throw new ServiceError('invalid_input', 'INVALID_INPUT', `time_range: ${msg}`, {
    issues: [{ loc: ['query', 'time_range'], msg, type: 'enum' }],
  });
}

const dayMs = 86_400_000;
const rollingDays: Partial<Record<TimeRange, number>> = { '24h': 1, '7d': 7, '30d': 30 };

/** From `start` up to but excluding `end`; months are calendar months in UTC. */
export function usagePeriod(range: TimeRange, now: Date): { readonly start: Date; readonly end: Date } {
  const days = rollingDays[range];
  // Includes the current millisecond, so that rows written just now are counted.
  const end = new Date(now.getTime() + 1);
  if (days !== undefined) return { start: new Date(now.getTime() - days * dayMs), end };
  const month = monthOf(now);
  return range === 'current_month'
    ? { start: startOfMonth(month), end }
    : { start: startOfMonth(plusMonths(month, -1)), end: startOfMonth(month) };
}

/** The number of whole days in a period, at least one. */
export function daysOf({ start, end }: { readonly start: Date; readonly end: Date }): number {
  return Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs));
}
