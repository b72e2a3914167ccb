import type { AnalyticalColumn } from '../store/analytical.ts';

interface Table {
  readonly name: string;
  readonly columns: readonly AnalyticalColumn[];
}

/** The columns of a relationship that hold the keys of its ends; they are no properties. */
const endColumns = ['from', 'to'];

/**
 * Properties of one name that have different types in two tables of one kind. The embedded engine gives a property one
 * type where rows of several tables meet, such as in a path or under `MATCH (n)`, and reads the bytes of the others in
 * that type: numbers become other numbers, and a number that is read as a text ends the process (graphs CS-6a).
 */
export function propertyConflicts(
  tables: readonly Table[],
  /** Conflicts between two such tables are left out. */
  isOwn: (table: Table) => boolean = () => false,
): readonly string[] {
  const first = new Map<string, { readonly table: Table; readonly type: string }>();
  const conflicts: string[] = [];
  for (const table of tables) {
    for (const { name, type } of table.columns.filter((column) => !endColumns.includes(column.name))) {
      const key = name.toLowerCase();
      const known = first.get(key);
      if (known === undefined) first.set(key, { table, type });
      else if (known.type !== type && !(isOwn(known.table) && isOwn(table)))
        conflicts.push(
          `Property '${name}' is ${known.type} in '${known.table.name}' and ${type} in '${table.name}': use one type or two names`,
        );
    }
  }
  return conflicts;
}
