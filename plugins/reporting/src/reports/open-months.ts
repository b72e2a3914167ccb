import type { CalendarState } from '@pacioli/ledger';
import type { Window } from '../statements/index.ts';

const maxMonths = 36;

/** Months of a report in which entries can still be posted. */
export interface OpenMonths {
  /** The first ones in order, `YYYY-MM`. */
  readonly months: readonly string[];
  /** The number of the others. */
  readonly more: number;
}

/** The open months of the columns (P-13). Without a calendar every month is open (ledger L-41a). */
export function openMonths(columns: readonly Window[], calendar: CalendarState | undefined): OpenMonths {
  const closed = new Set(calendar?.months.flatMap(({ period, isClosed }) => (isClosed ? [period] : [])));
  const through = calendar?.closedThrough ?? '';
  const reopened = new Set(calendar?.months.flatMap(({ period, isClosed }) => (isClosed ? [] : [period])));
  const isOpen = (month: string): boolean => (month <= through ? reopened.has(month) : !closed.has(month));
  const found = new Set<string>();
  for (const column of columns) for (const month of monthsOf(column)) if (isOpen(month)) found.add(month);
  const months = [...found].sort();
  return { months: months.slice(0, maxMonths), more: Math.max(0, months.length - maxMonths) };
}

/** A column may cover centuries, so this counts and does not calculate with dates. */
function monthsOf({ start, end }: Window): readonly string[] {
  const numberOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  const [first, last] = [numberOf(start), numberOf(end)];
  return Array.from({ length: last - first + 1 }, (_each, index) => {
    const month = first + index;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}

/** The warnings of each statement of the report (P-13). */
export function openMonthWarnings({ months, more }: OpenMonths): readonly string[] {
  const rest = more === 0 ? [] : [`${more} more periods are open`];
  return [...months.map((month) => `period ${month} is open`), ...rest];
}
