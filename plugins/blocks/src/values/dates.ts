const dayMs = 86_400_000;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** The day before a `YYYY-MM-DD`. */
export function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);
}

/** The number of days in a window, including both ends. */
export function daysIn(start: string, end: string): number {
  return (Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / dayMs + 1;
}

/** The label of a forecast month, such as `May 2026 (forecast)` (B-24). */
export function forecastLabel(date: string): string {
  return `${months[Number(date.slice(5, 7)) - 1] ?? date} ${date.slice(0, 4)} (forecast)`;
}
