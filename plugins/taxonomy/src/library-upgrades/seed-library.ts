import { createHash } from 'node:crypto';
import type { Store, Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import {
  type FrameworkFiles,
  findCarriedRetirements,
  type LibraryRows,
  moveRetiredMappings,
} from '../library/index.ts';
import type { TaxonomyLibraryVersion } from '../rows.gen.ts';
import {
  associationTable,
  elementTable,
  ruleTable,
  structureTable,
  taxonomyTable,
  upsertRows,
} from '../values/index.ts';
import { libraryGraphId, librarySeeder } from '../vocabulary/index.ts';
import { libraryUpgradeReport, refuseHeldConcepts } from './library-upgrade.ts';

/** Increase it when the conversion from files to rows changes. */
const rowFormat = 3;
const packageName = 'shipped-frameworks';

/** The version of the library: equal files and equal code have an equal hash. */
export function libraryHash(files: FrameworkFiles): string {
  return createHash('sha256').update(`${rowFormat}`).update(JSON.stringify(files)).digest('hex');
}

export interface SeedRequest {
  /** Builds the rows of the release; called only when they must be written. */
  rows(): LibraryRows;
  readonly hash: string;
  readonly now: Date;
  /** Called for each graph of which mappings moved, in the transaction of the move. */
  onMoved(tx: Transaction, graphId: string): Promise<void>;
}

/** `movedGraphs` had mappings to concepts that the release retires; they now map to the replacements. */
export type SeedOutcome =
  | { readonly status: 'unchanged' }
  | { readonly status: 'seeded'; readonly movedGraphs: readonly string[] };

/**
 * Updates the library's tables to this version and returns whether it wrote (taxonomy LB-5, LB-7). Takes one indexed
 * read when nothing changed. Nothing is deleted, mappings of a retired concept move to its replacement, and a release
 * that removes any other mapped concept throws (LB-11).
 */
export async function seedLibrary(store: Store, args: SeedRequest): Promise<SeedOutcome> {
  const seeded = await store.transaction({ graphId: libraryGraphId }, seededHash, { readOnly: true });
  if (seeded === args.hash) return { status: 'unchanged' };
  const rows = args.rows();
  // A mapped concept must not be removed (taxonomy LB-11).
  refuseHeldConcepts(await libraryUpgradeReport(store, rows));
  const carried = await store.transaction({ graphId: libraryGraphId }, async (tx) => {
    // Several processes may start at once: the first one seeds, and the others then find its version.
    await tx.query(sql`select pg_advisory_xact_lock(hashtext('taxonomy.library'))`);
    if ((await seededHash(tx)) === args.hash) return undefined;
    await writeLibrary(tx, rows, args.now);
    // An embedded store gathers statistics only here, and without them joins of arcs are planned for one row.
    await tx.query(sql`select taxonomy_gather_statistics()`);
    return findCarriedRetirements(tx, rows);
  });
  if (carried === undefined) return { status: 'unchanged' };
  // Another scope needs another transaction. The version is recorded last, so that an interrupted start is resumed, and
  // each step is idempotent.
  const movedGraphs = await store.transaction('kernel', async (tx) => {
    const graphIds = await moveRetiredMappings(tx, carried, args.now);
    for (const graphId of graphIds) await args.onMoved(tx, graphId);
    return graphIds;
  });
  await store.transaction({ graphId: libraryGraphId }, (tx) => recordVersion(tx, args));
  return { status: 'seeded', movedGraphs };
}

async function recordVersion(tx: Transaction, { hash, now }: SeedRequest): Promise<void> {
  await tx.query(sql`insert into taxonomy_library_version (graph_id, package, content_hash, seeded_at)
    values (${libraryGraphId}, ${packageName}, ${hash}, ${now})
    on conflict (graph_id, package)
    do update set content_hash = excluded.content_hash, seeded_at = excluded.seeded_at`);
}

async function seededHash(tx: Transaction): Promise<string | undefined> {
  const rows = await tx.query(sql<
    Pick<TaxonomyLibraryVersion, 'content_hash'>
  >`select content_hash from taxonomy_library_version
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
  await markDeprecated(tx, rows, now);
  await upsertRows(
    tx,
    ruleTable,
    rows.rules.map((row) => ({ ...snakeCased(row), ...stamp, severity: 'error', origin: 'native', metadata: {} })),
    ['name', 'description', 'expression', 'severity', 'variables'],
  );
}

/**
 * Marks concepts and arcs that are no longer shipped instead of deleting them, because tenants may use them; a retired
 * concept also names its replacement (taxonomy LB-5).
 */
async function markDeprecated(tx: Transaction, rows: LibraryRows, now: Date): Promise<void> {
  for (const [table, shipped] of [
    [elementTable, rows.elements],
    [associationTable, rows.associations],
  ] as const) {
    const ids = shipped.map(({ id }) => id);
    await tx.query(sql`update ${sql.table(table.name)} set is_deprecated = not is_deprecated, updated_at = ${now}
      where graph_id = ${libraryGraphId} and is_deprecated = (id = any(${ids}::text[]))`);
  }
  const retired = rows.retired.map(({ id, replacedById }) => ({ id, replaced_by: replacedById }));
  await tx.query(sql`update taxonomy_element e set replaced_by = r.replaced_by, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(retired)}::text::jsonb) as r (id text, replaced_by text)
    where e.graph_id = ${libraryGraphId} and e.id = r.id and e.replaced_by is distinct from r.replaced_by`);
}

/** Columns are named like the fields, in snake_case; the recordset ignores fields without a column. */
function snakeCased(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
