import { type RawBuilder, type Store, sql } from '@pacioli/core';

/** A digest of the rows that a graph has in each table, by the name of the table. */
export type TableDigests = Readonly<Record<string, string>>;

/**
 * Digests the rows of a graph in all tables with the column `graph_id`, as the catalog lists them, so that a test can
 * show that nothing changed. The tables of the kernel are left out unless `withKernel` is set: requests that are refused
 * are recorded there, too.
 */
export async function tableDigests(
  store: Store,
  graphId: string,
  { except = [], withKernel = false }: { readonly except?: readonly string[]; readonly withKernel?: boolean } = {},
): Promise<TableDigests> {
  return store.transaction(
    { graphId },
    async (tx) => {
      const tables = await tx.query(sql<{ readonly name: string }>`
        select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where a.attname = 'graph_id' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
          and c.relnamespace = current_schema()::regnamespace order by 1`);
      const compared = tables
        .map(({ name }) => name)
        .filter((name) => !except.includes(name) && (withKernel || !name.startsWith('kernel_')));
      const digests = compared.map((name) => digestOf(name, graphId));
      const rows = await tx.query(
        sql<{ readonly name: string; readonly digest: string | null }>`${sql.join(digests, sql` union all `)}`,
      );
      return Object.fromEntries(rows.map(({ name, digest }) => [name, digest ?? '']));
    },
    { readOnly: true },
  );
}

function digestOf(table: string, graphId: string): RawBuilder<unknown> {
  return sql`select ${table}::text as name, (select md5(string_agg(to_jsonb(t)::text, '' order by to_jsonb(t)::text))
    from ${sql.table(table)} t where graph_id = ${graphId}) as digest`;
}
