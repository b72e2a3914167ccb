import { type AppliedMigration, type MigrationSet, StoreError } from '@pacioli/core/ports';
import type pg from 'pg';
import { ensureApplicationRole, grantTables, withdrawEarlierGrants } from './application-role.ts';
import { defaults } from './connections.ts';
import { type MigrationFile, readMigrationFiles } from './migration-files.ts';
import { type Snapshot, snapshotOf, violationsOf } from './migration-guard.ts';
import { checkIsolation } from './table-isolation.ts';
import { type TableOwners, tableOwners } from './table-owners.ts';

/** Advisory lock id, the same in every process: its holder migrates this database. */
const lockKey = 7_205_921_664_331;

/** The migration record belongs to the kernel, even in a database without any other kernel table. */
const kernelOwner = 'kernel';

const waitLong = `SET lock_timeout = ${defaults.maxMigrationMs}`;

interface Applied {
  readonly owner: string;
  readonly name: string;
  readonly checksum: string;
}

/** Runs the pending files, each in its own transaction; see `Store.migrate`. */
export async function migrate(owner: pg.ClientBase, sets: readonly MigrationSet[]): Promise<AppliedMigration[]> {
  const files = await readMigrationFiles(sets);
  // Several processes may start at once; the later ones wait here and then find nothing pending.
  await owner.query(waitLong);
  await owner.query('SELECT pg_advisory_lock($1)', [lockKey]);
  try {
    await ensureApplicationRole(owner);
    await owner.query(
      `CREATE TABLE IF NOT EXISTS kernel_migration (
         owner text NOT NULL,
         name text NOT NULL,
         checksum text NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT now(),
         PRIMARY KEY (owner, name)
       )`,
    );
    const applied = await readApplied(owner);
    const pending = pendingOf(files, applied);
    const owners = ownersOf(sets, applied);
    await withdrawEarlierGrants(owner, owners);
    await applyAll(owner, pending, { sets, owners });
    await checkIsolation(owner, sets, owners);
    await grantTables(owner, sets, owners);
    return pending.map(({ owner: name, name: file }) => ({ owner: name, name: file }));
  } finally {
    await owner.query('SELECT pg_advisory_unlock($1)', [lockKey]);
    await owner.query('RESET lock_timeout');
  }
}

/** The files that `migrate` would run. Changes nothing. */
export async function pendingMigrations(
  owner: pg.ClientBase,
  sets: readonly MigrationSet[],
): Promise<AppliedMigration[]> {
  const files = await readMigrationFiles(sets);
  const { rows } = await owner.query<{ table: string | null }>(`SELECT to_regclass('kernel_migration') AS table`);
  const applied = rows[0]?.table == null ? [] : await readApplied(owner);
  const pending = pendingOf(files, applied);
  // Isolation is not checked yet, because a pending file may still correct the tables.
  if (pending.length === 0 && files.length > 0) await checkIsolation(owner, sets, ownersOf(sets, applied));
  return pending.map(({ owner: name, name: file }) => ({ owner: name, name: file }));
}

/** Includes owners whose plugin is not in this deployment, because their tables exist (platform X-5). */
function ownersOf(sets: readonly MigrationSet[], applied: readonly Applied[]): TableOwners {
  return tableOwners([kernelOwner, ...sets.map((set) => set.owner), ...applied.map((row) => row.owner)]);
}

async function readApplied(owner: pg.ClientBase): Promise<readonly Applied[]> {
  const { rows } = await owner.query<Applied>(
    'SELECT owner, name, checksum FROM kernel_migration ORDER BY owner, name',
  );
  return rows;
}

/** Compares files with the migration record. Rows of owners that are not in this deployment are ignored. */
function pendingOf(files: readonly MigrationFile[], applied: readonly Applied[]): readonly MigrationFile[] {
  const byKey = new Map(files.map((file) => [`${file.owner}/${file.name}`, file]));
  const owners = new Set(files.map((file) => file.owner));
  const lastOf = new Map<string, string>();
  const done = new Set<string>();
  for (const row of applied) {
    if (!owners.has(row.owner)) continue;
    const key = `${row.owner}/${row.name}`;
    const file = byKey.get(key);
    if (file === undefined) {
      throw new StoreError('migration', `The database is ahead of the code: it has run ${key}. Start a newer version.`);
    }
    if (file.checksum !== row.checksum) {
      throw new StoreError(
        'migration',
        `${key} was edited after it ran. Restore it, and put the change in a new file.`,
      );
    }
    done.add(key);
    lastOf.set(row.owner, row.name);
  }
  const pending = files.filter((file) => !done.has(`${file.owner}/${file.name}`));
  for (const file of pending) {
    const last = lastOf.get(file.owner);
    if (last !== undefined && file.name < last) {
      throw new StoreError('migration', `${file.owner}/${file.name} comes before ${last}, which has run. Renumber it.`);
    }
  }
  return pending;
}

interface Deployment {
  readonly sets: readonly MigrationSet[];
  readonly owners: TableOwners;
}

async function applyAll(owner: pg.ClientBase, files: readonly MigrationFile[], deployment: Deployment): Promise<void> {
  if (files.length === 0) return;
  let found = await snapshotOf(owner);
  for (const [index, file] of files.entries()) {
    // Files of an owner may complete each other, so its tables must match the declaration only after the last one.
    const isLast = files[index + 1]?.owner !== file.owner;
    const sets = isLast ? deployment.sets.filter((set) => set.owner === file.owner) : [];
    found = await apply(owner, file, { found, sets, owners: deployment.owners });
  }
}

interface Surroundings extends Deployment {
  /** The objects of the database before the file runs. */
  readonly found: Snapshot;
}

/** Runs a file in a transaction that commits only if it changed its plugin's objects alone; returns all objects. */
async function apply(owner: pg.ClientBase, file: MigrationFile, around: Surroundings): Promise<Snapshot> {
  const name = `${file.owner}/${file.name}`;
  await owner.query('BEGIN');
  try {
    await execute(owner, file);
    const left = await snapshotOf(owner);
    const guarded = { plugin: file.owner, owners: around.owners };
    const violations = await violationsOf(owner, { before: around.found, after: left }, guarded);
    if (violations.length > 0) throw new StoreError('migration', refusalOf(name, file.owner, violations));
    await checkIsolation(owner, around.sets, around.owners, name);
    await owner.query('INSERT INTO kernel_migration (owner, name, checksum) VALUES ($1, $2, $3)', [
      file.owner,
      file.name,
      file.checksum,
    ]);
    await owner.query('COMMIT');
    return left;
  } catch (error) {
    await owner.query('ROLLBACK');
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('migration', `${name} failed and was rolled back: ${reason}${adviceOn(reason)}`, {
      cause: error,
    });
  }
}

/**
 * Runs the statements of a file inside PL/pgSQL, which rejects statements that end the transaction: after a COMMIT
 * the following checks could not roll the file back.
 */
async function execute(owner: pg.ClientBase, file: MigrationFile): Promise<void> {
  // pg_temp comes last in the path that SET search_path FROM CURRENT stores, so no temporary table shadows a real one.
  await owner.query(
    `SELECT set_config('pacioli.migration', $1, true), set_config('search_path', current_setting('search_path') || ', pg_temp', true)`,
    [file.text],
  );
  await owner.query(`DO $$ BEGIN EXECUTE current_setting('pacioli.migration'); END $$`);
  // A search path or scope set by the file would outlive it and mislead the checks.
  await owner.query(`RESET ALL; ${waitLong}`);
}

function refusalOf(name: string, plugin: string, violations: readonly string[]): string {
  return (
    `${name} was rolled back: ${violations.join('; ')}. Remove these statements. A migration of ${plugin} may ` +
    `use only the tables of ${plugin}; the services of other plugins give access to their data.`
  );
}

function adviceOn(reason: string): string {
  return /transaction commands/.test(reason) ? '. Remove BEGIN, COMMIT, ROLLBACK and SAVEPOINT from the file.' : '';
}
