import type pg from 'pg';
import type { TableOwners } from './table-owners.ts';

/** A database object with the transaction that last changed it. */
interface DatabaseObject {
  readonly key: string;
  readonly class: string;
  /** Null where a name does not indicate an owner, as for a cast. */
  readonly name: string | null;
  readonly version: string;
}

/** A snapshot of the database objects; the guard compares those before and after a migration. */
export interface Snapshot {
  readonly role: string;
  readonly objects: ReadonlyMap<string, DatabaseObject>;
}

interface LockedTable {
  readonly key: string;
  /** Null when the table was dropped. */
  readonly name: string | null;
  readonly schema: string | null;
  readonly is_here: boolean;
  readonly is_temporary: boolean;
  readonly mode: string;
}

/** Objects that depend on the schema and objects outside of any schema; tables are found by their locks instead. */
const objectsSql = `
  SELECT d.classid::regclass::text || ' ' || d.objid AS key, d.classid::regclass::text AS class,
    coalesce(c.relname, p.proname, t.typname, s.stxname) AS name,
    coalesce(c.xmin, p.xmin, t.xmin, s.xmin, d.xmin)::text AS version
  FROM pg_depend AS d
    LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
    LEFT JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
    LEFT JOIN pg_type AS t ON d.classid = 'pg_type'::regclass AND t.oid = d.objid
    LEFT JOIN pg_statistic_ext AS s ON d.classid = 'pg_statistic_ext'::regclass AND s.oid = d.objid
  WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = current_schema()::regnamespace
  UNION ALL
  SELECT 'pg_proc ' || p.oid, 'pg_proc', NULL, p.xmin::text FROM pg_proc AS p
  WHERE p.prosecdef AND p.oid >= 16384 AND p.pronamespace <> current_schema()::regnamespace
  UNION ALL SELECT 'pg_namespace ' || oid, 'pg_namespace', NULL, xmin::text FROM pg_namespace WHERE nspname !~ '^pg_'
  UNION ALL SELECT 'pg_extension ' || oid, 'pg_extension', NULL, xmin::text FROM pg_extension
  UNION ALL SELECT 'pg_event_trigger ' || oid, 'pg_event_trigger', NULL, xmin::text FROM pg_event_trigger
  UNION ALL SELECT 'pg_publication ' || oid, 'pg_publication', NULL, xmin::text FROM pg_publication
  UNION ALL SELECT 'pg_foreign_data_wrapper ' || oid, 'pg_foreign_data_wrapper', NULL, xmin::text
    FROM pg_foreign_data_wrapper
  UNION ALL SELECT 'pg_foreign_server ' || oid, 'pg_foreign_server', NULL, xmin::text FROM pg_foreign_server
  UNION ALL SELECT 'pg_language ' || oid, 'pg_language', NULL, xmin::text FROM pg_language
  UNION ALL SELECT 'pg_cast ' || oid, 'pg_cast', NULL, xmin::text FROM pg_cast WHERE oid >= 16384
  UNION ALL SELECT 'pg_default_acl ' || oid, 'pg_default_acl', NULL, xmin::text FROM pg_default_acl
  UNION ALL SELECT 'pg_db_role_setting ' || setdatabase || ' ' || setrole, 'pg_db_role_setting', NULL, xmin::text
    FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
      OR setrole::regrole::text IN (current_user, 'pacioli_app')`;

/**
 * The transaction holds a lock on every table that it has read, written or altered until it ends; a statement undone
 * by an exception releases its lock.
 */
const locksSql = `
  SELECT 'pg_class ' || l.relation AS key, coalesce(t.relname, c.relname) AS name, n.nspname AS schema,
    coalesce(n.oid = current_schema()::regnamespace, false) AS is_here, coalesce(n.nspname ~ '^pg_temp', false) AS is_temporary,
    l.mode
  FROM pg_locks AS l LEFT JOIN pg_class AS c ON c.oid = l.relation LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
    LEFT JOIN pg_class AS t ON t.oid = i.indrelid LEFT JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND l.relation >= 16384
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND coalesce(n.nspname, '') !~ '^pg_toast'`;

const verbs: Readonly<Record<string, string>> = {
  AccessShareLock: 'reads',
  RowShareLock: 'locks rows of',
  RowExclusiveLock: 'writes to',
};

/** Takes a snapshot, before the first migration and at the end of the transaction of each. */
export async function snapshotOf(owner: pg.ClientBase): Promise<Snapshot> {
  // Named statements, because planning costs as much as execution and each file runs them again.
  const { rows } = await owner.query<DatabaseObject>({ name: 'pacioli-objects', text: objectsSql });
  const role = await owner.query<{ role: string }>('SELECT current_user AS role');
  return { role: role.rows[0]?.role ?? '', objects: new Map(rows.map((row) => [row.key, row])) };
}

/**
 * Returns a sentence for each change that a migration made outside of its own plugin's tables, sequences, functions
 * and types. Must run at the end of its transaction, whose locks it reads.
 */
export async function violationsOf(
  owner: pg.ClientBase,
  { before, after }: { readonly before: Snapshot; readonly after: Snapshot },
  { plugin, owners }: { readonly plugin: string; readonly owners: TableOwners },
): Promise<readonly string[]> {
  const { rows: locked } = await owner.query<LockedTable>({ name: 'pacioli-locks', text: locksSql });
  const isOwn = (name: string | null | undefined) => name != null && owners.ownerOf(name) === plugin;
  const found = new Set<string>();
  for (const table of locked) {
    // A table that it created and dropped has no owner; one that existed before is found among the objects.
    if (table.name === null || (table.is_here && isOwn(table.name))) continue;
    const isNew = !before.objects.has(table.key) && after.objects.has(table.key);
    if (!isNew) found.add(sentenceOfTable(table, owners));
  }
  if (after.role !== before.role) found.add(`it leaves the role ${after.role} behind; end it with RESET ROLE`);
  for (const object of changedObjects(before, after)) {
    const [former, current] = [before.objects.get(object.key), after.objects.get(object.key)];
    const isAllowed = (former === undefined || isOwn(former.name)) && (current === undefined || isOwn(current.name));
    if (!isAllowed) found.add(await sentenceOfObject(owner, object, { former, current, owners, plugin }));
  }
  return [...found];
}

function sentenceOfTable(table: LockedTable, owners: TableOwners): string {
  if (table.is_temporary) return `it leaves a temporary table; end it with DROP TABLE pg_temp.${table.name}`;
  const verb = verbs[table.mode] ?? 'alters';
  if (!table.is_here) return `it ${verb} ${table.schema}.${table.name}, which is in another schema`;
  const theirs = owners.ownerOf(table.name ?? '');
  return `it ${verb} ${table.name}, which belongs to ${theirs ?? 'no plugin'}`;
}

function changedObjects(before: Snapshot, after: Snapshot): readonly DatabaseObject[] {
  const changed = [...after.objects.values()].filter(
    ({ key, version }) => before.objects.get(key)?.version !== version,
  );
  const dropped = [...before.objects.values()].filter(({ key }) => !after.objects.has(key));
  return [...changed, ...dropped];
}

interface Change {
  readonly former: DatabaseObject | undefined;
  readonly current: DatabaseObject | undefined;
  readonly owners: TableOwners;
  readonly plugin: string;
}

async function sentenceOfObject(owner: pg.ClientBase, object: DatabaseObject, change: Change): Promise<string> {
  const { former, current, owners, plugin } = change;
  const theirs = former?.name == null ? undefined : owners.ownerOf(former.name);
  const name = object.name ?? (current === undefined ? object.class : await described(owner, object));
  if (former !== undefined) {
    const verb = current === undefined ? 'drops' : 'alters';
    return theirs === undefined || theirs === plugin
      ? `it ${verb} ${name}, which is not a part of the plugin`
      : `it ${verb} ${name}, which belongs to ${theirs}`;
  }
  if (object.name === null) return `it creates ${name}, which affects other plugins`;
  return `it creates ${name}, whose name does not begin with ${plugin.replaceAll('-', '_')}_`;
}

async function described(owner: pg.ClientBase, { class: name, key }: DatabaseObject): Promise<string> {
  const id = key.split(' ')[1];
  if (name === 'pg_db_role_setting') return 'settings of a role or database';
  const { rows } = await owner.query<{ text: string | null }>(
    'SELECT pg_describe_object($1::regclass, $2::oid, 0) AS text',
    [name, id],
  );
  return rows[0]?.text ?? name;
}
