import { type AnalyticalSchema, schemaForGraph } from '@pacioli/core';

type Table = AnalyticalSchema['nodes'][number] | AnalyticalSchema['relationships'][number];

export interface Compatibility {
  readonly compatible: boolean;
  readonly conflicts: readonly string[];
  readonly checked_extensions: readonly string[];
}

/** Compares a schema with extensions: the same type name with other columns is a conflict (graphs CS-8). */
export function compatibilityOf(
  schema: AnalyticalSchema,
  wireNames: readonly string[],
  deployment: {
    readonly domains: { resolve(wireName: string): string | undefined };
    readonly schema: AnalyticalSchema;
  },
): { readonly result: Compatibility; readonly warnings: readonly string[] } {
  const known = wireNames.filter((wireName) => deployment.domains.resolve(wireName) !== undefined);
  const warnings = wireNames
    .filter((wireName) => !known.includes(wireName))
    .map((wireName) => `Extension '${wireName.slice(0, 100)}' is unknown and was not compared`);
  const conflicts = known.flatMap((wireName) => {
    const domain = deployment.domains.resolve(wireName) ?? ''; // Known, as filtered.
    const theirs = new Map(tablesOf(schemaForGraph(deployment.schema, [domain])).map((table) => [table.name, table]));
    return tablesOf(schema).flatMap((table) => {
      const other = theirs.get(table.name);
      if (other === undefined || columnsOf(other) === columnsOf(table)) return [];
      return [`'${table.name}' has other columns in ${wireName}`];
    });
  });
  return { result: { compatible: conflicts.length === 0, conflicts, checked_extensions: known }, warnings };
}

const tablesOf = (schema: AnalyticalSchema): readonly Table[] => [...schema.nodes, ...schema.relationships];

const columnsOf = (table: Table): string => table.columns.map(({ name, type }) => `${name} ${type}`).join(', ');
