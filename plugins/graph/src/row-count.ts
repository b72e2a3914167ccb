/** The rows of all tables, from the counts of each. */
export function rowCount(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export const rowsText = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`;
