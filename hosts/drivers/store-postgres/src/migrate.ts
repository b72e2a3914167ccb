import { type AppliedMigration, type MigrationSet, StoreError } from '@pacioli/core/ports';
import type pg from 'pg';
import { ensureApplicationRole, grantTables } from './application-role.ts';
import { defaults } from './connections.ts';
import { type MigrationFile, readMigrationFiles } from './migration-files.ts';

/** Any number, the same in every process: whoever holds it migrates this database. */
const lockKey = 7_205_921_664_331;

interface Applied {
  readonly owner: string;
  readonly name: string;
  readonly checksum: string;
}

/** Runs the files that this database has not seen, each in its own transaction; see `Store.migrate`. */
export async function migrate(owner: pg.ClientBase, sets: readonly MigrationSet[]): Promise<AppliedMigration[]> {
  const files = await readMigrationFiles(sets);
  // Several processes may start at once; the later ones wait here and then find nothing to do.
  await owner.query(`SET lock_timeout = ${defaults.migration_ms_max}`);
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
    const pending = pendingOf(files, await readApplied(owner));
    for (const file of pending) await apply(owner, file);
    await grantTables(owner);
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
  return pendingOf(files, applied).map(({ owner: name, name: file }) => ({ owner: name, name: file }));
}

async function readApplied(owner: pg.ClientBase): Promise<readonly Applied[]> {
  const { rows } = await owner.query<Applied>(
    'SELECT owner, name, checksum FROM kernel_migration ORDER BY owner, name',
  );
  return rows;
}

/** Compares files with what ran. Rows of owners that are not in this deployment are left alone. */
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

async function apply(owner: pg.ClientBase, file: MigrationFile): Promise<void> {
  await owner.query('BEGIN');
  try {
    await owner.query(file.text);
    await owner.query('INSERT INTO kernel_migration (owner, name, checksum) VALUES ($1, $2, $3)', [
      file.owner,
      file.name,
      file.checksum,
    ]);
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK');
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('migration', `${file.owner}/${file.name} failed and was rolled back: ${reason}`, {
      cause: error,
    });
  }
}
