import type { CatalogTable } from '@pacioli/core/ports';

/** The schema for callers: names in declared order, all properties, and empty tables (graphs SC-50). */
export function schemaOf(tables: readonly CatalogTable[]): Record<string, unknown> {
  const nodes = tables.filter((table) => table.kind === 'node');
  const relationships = tables.filter((table) => table.kind === 'relationship');
  const names = (table: CatalogTable): string[] => table.columns.map((column) => column.name);
  return {
    node_labels: nodes.map((table) => table.name),
    relationship_types: relationships.map((table) => table.name),
    node_properties: Object.fromEntries(nodes.map((table) => [table.name, names(table)])),
    relationships: relationships.map((table) => ({
      name: table.name,
      from: table.from,
      to: table.to,
      properties: names(table),
    })),
  };
}
