import type { CatalogTable, GraphStats, RowStream } from '@pacioli/core/ports';

export type RunQuery = (statement: string) => Promise<readonly (readonly unknown[])[]>;

export const catalogRead = { timeoutMs: 30_000, maxRows: 10_000, rowsPerChunk: 1_000 };

/** Runs short queries on the engine's own catalog. */
export function catalogQuery(run: (statement: string) => Promise<RowStream>): RunQuery {
  return async (statement) => {
    const rows: (readonly unknown[])[] = [];
    for await (const chunk of await run(statement)) rows.push(...chunk);
    return rows;
  };
}

/** Reads the tables of the database in the order of their declaration, nodes first (graphs SC-50). */
export async function readCatalog(runQuery: RunQuery): Promise<readonly CatalogTable[]> {
  const tables: CatalogTable[] = [];
  const listed = await runQuery('CALL SHOW_TABLES() RETURN id, name, type ORDER BY id');
  for (const [, nameValue, typeValue] of listed) {
    const name = String(nameValue);
    const isNode = typeValue !== 'REL';
    const keyed = isNode ? ', `primary key` AS is_key' : '';
    const found = await runQuery(
      `CALL TABLE_INFO('${name}') RETURN \`property id\` AS position, name, type${keyed} ORDER BY position`,
    );
    const columns = found.map(([, column, type]) => ({ name: String(column), type: String(type) }));
    const key = found.find(([, , , isKey]) => isKey === true)?.[1];
    if (isNode) tables.push({ kind: 'node', name, columns, ...(key === undefined ? {} : { key: String(key) }) });
    else {
      const [ends] = await runQuery(
        `CALL SHOW_CONNECTION('${name}') RETURN \`source table name\` AS source, \`destination table name\` AS target`,
      );
      tables.push({ kind: 'relationship', name, columns, from: String(ends?.[0]), to: String(ends?.[1]) });
    }
  }
  return [...tables.filter(({ kind }) => kind === 'node'), ...tables.filter(({ kind }) => kind === 'relationship')];
}

export async function readCounts(
  runQuery: RunQuery,
  tables: readonly CatalogTable[],
): Promise<Pick<GraphStats, 'nodes' | 'relationships'>> {
  const nodes: Record<string, number> = {};
  const relationships: Record<string, number> = {};
  for (const { kind, name } of tables) {
    const pattern = kind === 'node' ? `(x:\`${name}\`)` : `()-[x:\`${name}\`]->()`;
    const [row] = await runQuery(`MATCH ${pattern} RETURN count(x) AS total`);
    (kind === 'node' ? nodes : relationships)[name] = Number(row?.[0] ?? 0);
  }
  return { nodes, relationships };
}
