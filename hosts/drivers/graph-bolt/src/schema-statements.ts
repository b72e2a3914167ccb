import { type AnalyticalSchema, type CatalogTable, GraphStoreError } from '@pacioli/core/ports';

/** The types that a property can hold without loss (graphs CS-1, `types: 'base'`). */
const storedTypes = /^(?:STRING|BOOL(?:EAN)?|U?INT(?:8|16|32)|INT64|FLOAT|DOUBLE|DATE|TIMESTAMP)$/;

/** The tables of a schema, in the form in which the directory keeps them. Throws for a type that would lose digits. */
export function declaredTables(schema: AnalyticalSchema): readonly CatalogTable[] {
  const nodes = schema.nodes.map(
    ({ name, key, columns }): CatalogTable => ({ kind: 'node', name, key, columns: storedColumns(name, columns) }),
  );
  const relationships = schema.relationships.map(
    ({ name, from, to, columns }): CatalogTable => ({
      kind: 'relationship',
      name,
      from,
      to,
      // The first two are the keys of the ends.
      columns: storedColumns(name, columns.slice(2)),
    }),
  );
  return [...nodes, ...relationships];
}

function storedColumns(
  table: string,
  columns: readonly { readonly name: string; readonly type: string }[],
): CatalogTable['columns'] {
  return columns.map(({ name, type }) => {
    if (storedTypes.test(type)) return { name, type };
    throw new GraphStoreError(
      'incompatible',
      `${table}.${name} is ${type}, which this graph engine cannot store without loss: use STRING, a number of at ` +
        'most 64 bits, BOOLEAN, DATE or TIMESTAMP.',
    );
  });
}

/** One uniqueness constraint on the key of each node type, which also finds the ends of relationships. */
export function keyConstraints(tables: readonly CatalogTable[]): readonly string[] {
  return tables.flatMap(({ kind, name, key }) =>
    kind === 'node' && key !== undefined
      ? [`CREATE CONSTRAINT FOR (n:${quoted(name)}) REQUIRE n.${quoted(key)} IS UNIQUE`]
      : [],
  );
}

export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
