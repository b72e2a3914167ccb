const day_ms = 86_400_000;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** The day before a `YYYY-MM-DD`. */
export function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - day_ms).toISOString().slice(0, 10);
}

/** How many days a window has, both ends counted. */
export function daysIn(start: string, end: string): number {
  return (Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / day_ms + 1;
}

/** The label of a month of a plan (B-24), such as `May 2026 (forecast)`. */
export function forecastLabel(date: string): string {
  return `${months[Number(date.slice(5, 7)) - 1] ?? date} ${date.slice(0, 4)} (forecast)`;
}

/** Whether the text is a day that exists. */
export function isCalendarDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
