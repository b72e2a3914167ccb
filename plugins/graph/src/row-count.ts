/** The rows of all tables, from the counts of each. */
export function rowCount(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** A number with its noun, which is in the singular. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const rowsText = (count: number): string => counted(count, 'row');
