const lastDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Parses a day of the year, `MM-DD` or `MMDD`, to `MM-DD`; undefined if there is no such day (graphs G-22). */
export function monthDayOf(text: string): string | undefined {
  const [, month, day] = /^(\d{2})-?(\d{2})$/.exec(text) ?? [];
  const lastDay = lastDays[Number(month) - 1];
  if (lastDay === undefined || Number(day) < 1 || Number(day) > lastDay) return undefined;
  return `${month}-${day}`;
}
