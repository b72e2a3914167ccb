import { isCalendarDate } from '../calendar.ts';

/** A leap year, which has every day that any year has. */
const leapYear = 2000;

/** Parses a day of the year, `MM-DD` or `MMDD`, to `MM-DD`; undefined if there is no such day (graphs G-22). */
export function monthDayOf(text: string): string | undefined {
  const [, month, day] = /^(\d{2})-?(\d{2})$/.exec(text) ?? [];
  return isCalendarDate(`${leapYear}-${month}-${day}`) ? `${month}-${day}` : undefined;
}
