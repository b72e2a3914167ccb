import type { AnalyticalColumn } from '../store/analytical.ts';

interface Table {
  readonly name: string;
  readonly columns: readonly AnalyticalColumn[];
}

/**
 * Properties that are decimals of different forms in two types. An engine gives a property one type where rows of several
 * types meet, such as in a path, and would read the digits of one form as those of the other (graphs CS-6a).
 */
export function decimalConflicts(tables: readonly Table[]): readonly string[] {
  const first = new Map<string, { readonly table: string; readonly type: string }>();
  const conflicts: string[] = [];
  for (const { name: table, columns } of tables) {
    for (const { name, type } of columns.filter((column) => /^DECIMAL\b/.test(column.type))) {
      const known = first.get(name);
      if (known === undefined) first.set(name, { table, type });
      else if (known.type !== type)
        conflicts.push(
          `Property '${name}' is ${known.type} in '${known.table}' and ${type} in '${table}': use one type or two names`,
        );
    }
  }
  return conflicts;
}
