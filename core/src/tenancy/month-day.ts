const lastDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reads a day that comes every year, written `MM-DD` or `MMDD`, as `MM-DD`; undefined for no such day (graphs G-22). */
export function monthDayOf(text: string): string | undefined {
  const [, month, day] = /^(\d{2})-?(\d{2})$/.exec(text) ?? [];
  const lastDay = lastDays[Number(month) - 1];
  if (lastDay === undefined || Number(day) < 1 || Number(day) > lastDay) return undefined;
  return `${month}-${day}`;
}
