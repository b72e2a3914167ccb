import type { ShownRow, ShownStatement, ShownSum } from './shown-statement.ts';

/** A row of a live statement: totals follow their parts, which are one level deeper (reporting S-30). */
export interface LiveRow {
  readonly concept: string;
  readonly label: string;
  readonly depth: number;
  readonly isTotal: boolean;
  /** Exact decimals, one for each column. */
  readonly values: readonly (string | null)[];
}

/** A live statement for printing. Its sums are those of a single line, which the depths of the rows tell. */
export function liveStatement(
  head: Pick<ShownStatement, 'name' | 'columns' | 'isInstant'>,
  rows: readonly LiveRow[],
): ShownStatement {
  return {
    ...head,
    rows: rows.map(({ concept, label, depth, isTotal, values }): ShownRow => {
      const kind = isTotal ? 'total' : 'item';
      return { kind, concept, label, depth, isMoney: true, values, text: null, contentType: null };
    }),
    sums: rows.flatMap((row, total) => (row.isTotal ? sumOfOneLine(rows, total) : [])),
  };
}

function sumOfOneLine(rows: readonly LiveRow[], total: number): readonly ShownSum[] {
  const depth = rows[total]?.depth ?? 0;
  const before = rows.slice(0, total).findLastIndex((row) => row.depth <= depth);
  const inside = rows.slice(before + 1, total);
  const shallowest = Math.min(...inside.map((row) => row.depth));
  const parts = inside.flatMap((row, index) => (row.depth === shallowest ? [before + 1 + index] : []));
  const [row, ...others] = parts;
  return row === undefined || others.length > 0 ? [] : [{ total, parts: [{ row, factor: 1 }], direct: [] }];
}
