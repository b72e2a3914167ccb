import { boundsOf, plusDays } from '@pacioli/core/calendar';

/** A month of the books. */
export interface Month {
  readonly year: number;
  /** 1 is January. */
  readonly number: number;
  /** 0 is the first month of the books. */
  readonly index: number;
  readonly name: string;
}

export const firstYear = 2024;
export const years = [firstYear, firstYear + 1] as const;

const names = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The two years of the books, month by month. */
export const months: readonly Month[] = years.flatMap((year) =>
  names.map((name, position) => ({
    year,
    number: position + 1,
    index: (year - firstYear) * 12 + position,
    name: `${name} ${year}`,
  })),
);

/** Seasonal sales of each month, in basis points of an average week. */
const seasons = [5_500, 6_000, 8_500, 11_000, 13_500, 14_500, 14_000, 12_500, 10_500, 8_500, 7_500, 10_500];

export function seasonOf(month: number): number {
  return seasons[month - 1] ?? 10_000;
}

export function dayIn(month: Pick<Month, 'year' | 'number'>, dayOfMonth: number): string {
  return plusDays(boundsIn(month).start, dayOfMonth - 1);
}

export function lastDayOf(month: Month): string {
  return boundsIn(month).end;
}

function boundsIn({ year, number }: Pick<Month, 'year' | 'number'>): ReturnType<typeof boundsOf> {
  return boundsOf(`${year}-${String(number).padStart(2, '0')}`);
}

export function isWithinBooks(date: string): boolean {
  return date >= `${years[0]}-01-01` && date <= `${years[1]}-12-31`;
}

/** Every seventh day, from the first one to the end of the books. */
export function weeksFrom(first: string): readonly string[] {
  const weeks: string[] = [];
  for (let date = first; isWithinBooks(date); date = plusDays(date, 7)) weeks.push(date);
  return weeks;
}
