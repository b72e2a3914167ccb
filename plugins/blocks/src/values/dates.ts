import { daysBetween, plusDays } from '@pacioli/core/calendar';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** The day before a `YYYY-MM-DD`. */
export function dayBefore(date: string): string {
  return plusDays(date, -1);
}

/** The number of days in a window, including both ends. */
export function daysIn(start: string, end: string): number {
  return daysBetween(start, end) + 1;
}

/** The label of a forecast month, such as `May 2026 (forecast)` (B-24). */
export function forecastLabel(date: string): string {
  return `${months[Number(date.slice(5, 7)) - 1] ?? date} ${date.slice(0, 4)} (forecast)`;
}
