import { type Store, sql } from '@pacioli/core';

/** The row count and a hash of the rows of a graph, by table. */
export type GraphDigest = Readonly<Record<string, string>>;

/**
 * Hashes all rows of a graph in every table of ledger, taxonomy and blocks, for tests that nothing changed. One
 * statement reads them all, so that no write is seen half done.
 */
export function graphDigest(store: Store, graphId: string): Promise<GraphDigest> {
  return store.transaction({ graphId }, async (tx) => {
    const tables = await tx.query(sql<{ name: string }>`
      SELECT c.table_name AS name FROM information_schema.columns AS c
      JOIN information_schema.tables AS t USING (table_schema, table_name)
      WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.column_name = 'graph_id'
        AND c.table_name ~ '^(ledger|taxonomy|blocks)_' ORDER BY 1`);
    const digests = tables.map(({ name }) => {
      const row = sql`r::text`;
      return sql`
        SELECT ${name}::text AS name, count(*) || ' rows ' || coalesce(md5(string_agg(${row}, chr(10) ORDER BY ${row})), '') AS digest
        FROM ${sql.table(name)} AS r WHERE graph_id = ${graphId}`;
    });
    const rows = await tx.query(sql<{ name: string; digest: string }>`${sql.join(digests, sql` UNION ALL `)}`);
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  });
}
