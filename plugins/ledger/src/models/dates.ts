import { calendarDate, invalidInput, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { type DateRange, isCalendarDate } from '../values/index.ts';

/** The two optional dates of a read over time, inclusive. */
export const dateRange = {
  start_date: Type.Optional(nullable(calendarDate())),
  end_date: Type.Optional(nullable(calendarDate())),
};

/** Reads the requested range; rejects days that do not exist, and ranges that end before they start. */
export function rangeOf(args: { readonly start_date?: string | null; readonly end_date?: string | null }): DateRange {
  const range = { start: args.start_date ?? null, end: args.end_date ?? null };
  for (const [field, date] of [
    ['startDate', range.start],
    ['endDate', range.end],
  ] as const) {
    if (date !== null && !isCalendarDate(date))
      throw invalidInput(`${field}: '${date}' is not a calendar date (YYYY-MM-DD).`);
  }
  if (range.start !== null && range.end !== null && range.start > range.end)
    throw invalidInput(`startDate: '${range.start}' is after the endDate '${range.end}'.`);
  return range;
}
