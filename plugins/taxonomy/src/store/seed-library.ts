import { createHash } from 'node:crypto';
import type { Store, Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { FrameworkFiles } from '../domain/framework.ts';
import type { LibraryRows } from '../domain/library.ts';
import { libraryGraphId, librarySeeder } from '../domain/vocabulary.ts';
import { associationTable, elementTable, ruleTable, structureTable, taxonomyTable, upsertRows } from './insert-rows.ts';
import { libraryUpgradeReport, refuseHeldConcepts } from './library-upgrade.ts';

/** Raise it when the way rows are made from the files changes. */
const rowFormat = 2;
const packageName = 'shipped-frameworks';

/** The version of the library: equal files and equal code give an equal hash. */
export function libraryHash(files: FrameworkFiles): string {
  return createHash('sha256').update(`${rowFormat}`).update(JSON.stringify(files)).digest('hex');
}

/**
 * Brings the library's tables to this version and says whether it wrote (taxonomy LB-5, LB-7). One indexed read when
 * nothing changed. Nothing is deleted, and a release that takes a mapped concept away throws (LB-11).
 */
export async function seedLibrary(
  store: Store,
  args: { readonly rows: LibraryRows; readonly hash: string; readonly now: Date },
): Promise<'seeded' | 'unchanged'> {
  const seeded = await store.transaction({ graphId: libraryGraphId }, seededHash, { readOnly: true });
  if (seeded === args.hash) return 'unchanged';
  // Taxonomy LB-11: what accounts are mapped to is not taken away from under them.
  refuseHeldConcepts(await libraryUpgradeReport(store, args.rows));
  return store.transaction({ graphId: libraryGraphId }, async (tx) => {
    // Several processes may start at once: the first seeds, the others find its version afterwards.
    await tx.query(sql`select pg_advisory_xact_lock(hashtext('taxonomy.library'))`);
    if ((await seededHash(tx)) === args.hash) return 'unchanged';
    await writeLibrary(tx, args.rows, args.now);
    // Nothing else gathers statistics in an embedded store, and without them joins of arcs are planned for one row.
    await tx.query(sql`select taxonomy_gather_statistics()`);
    await tx.query(sql`insert into taxonomy_library_version (graph_id, package, content_hash, seeded_at)
      values (${libraryGraphId}, ${packageName}, ${args.hash}, ${args.now})
      on conflict (graph_id, package)
      do update set content_hash = excluded.content_hash, seeded_at = excluded.seeded_at`);
    return 'seeded';
  });
}

async function seededHash(tx: Transaction): Promise<string | undefined> {
  const rows = await tx.query(sql<{ content_hash: string }>`select content_hash from taxonomy_library_version
    where graph_id = ${libraryGraphId} and package = ${packageName}`);
  return rows[0]?.content_hash;
}

async function writeLibrary(tx: Transaction, rows: LibraryRows, now: Date): Promise<void> {
  const stamp = { graph_id: libraryGraphId, created_by: librarySeeder, created_at: now, updated_at: now };
  await upsertRows(
    tx,
    taxonomyTable,
    rows.taxonomies.map((row) => ({ ...snakeCased(row), ...stamp, is_locked: true, metadata: {} })),
    ['name', 'description', 'taxonomy_type'],
  );
  await upsertRows(
    tx,
    elementTable,
    rows.elements.map((row) => ({ ...snakeCased(row), ...stamp, depth: 0, metadata: {} })),
    [
      'name',
      'trait',
      'liquidity',
      'activity_type',
      'balance_type',
      'period_type',
      'element_type',
      'item_type',
      'is_abstract',
      'is_monetary',
    ],
  );
  await markDeprecated(tx, rows, now);
  await upsertRows(
    tx,
    structureTable,
    rows.structures.map((row) => ({ ...snakeCased(row), ...stamp })),
    ['name', 'concept_arrangement', 'metadata'],
  );
  await upsertRows(
    tx,
    associationTable,
    rows.associations.map((row) => ({ ...snakeCased(row), ...stamp, metadata: {} })),
    ['arcrole', 'order_value', 'weight'],
  );
  await upsertRows(
    tx,
    ruleTable,
    rows.rules.map((row) => ({ ...snakeCased(row), ...stamp, severity: 'error', origin: 'native', metadata: {} })),
    ['name', 'description', 'expression', 'severity', 'variables'],
  );
}

/** A concept that is shipped no more stays, because tenants may have mapped to it, and says so (taxonomy LB-5). */
async function markDeprecated(tx: Transaction, rows: LibraryRows, now: Date): Promise<void> {
  const shipped = rows.elements.map(({ id }) => id);
  await tx.query(sql`update taxonomy_element set is_deprecated = not is_deprecated, updated_at = ${now}
    where graph_id = ${libraryGraphId} and is_deprecated = (id = any(${shipped}::text[]))`);
}

/** Columns are named as the fields, in snake_case; fields without a column are ignored by the recordset. */
function snakeCased(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
