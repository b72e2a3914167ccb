import type { ResultRow, RowStream } from '@pacioli/core/ports';

/** The rows that a statement has written and returned, in chunks; they are in memory, so nothing has to be released. */
export function writtenRowStream(
  {
    columns,
    rows,
    isTruncated,
  }: {
    readonly columns: readonly string[];
    readonly rows: readonly ResultRow[];
    readonly isTruncated: boolean;
  },
  rowsPerChunk: number,
): RowStream {
  async function* chunks(): AsyncGenerator<readonly ResultRow[]> {
    for (let from = 0; from < rows.length; from += rowsPerChunk) yield rows.slice(from, from + rowsPerChunk);
  }
  return {
    columns,
    summary: () => ({ rows: rows.length, truncated: isTruncated }),
    cancel: async () => undefined,
    [Symbol.asyncIterator]: chunks,
  };
}
