import { type MigrationSet, StoreError, type TableAccess } from '@pacioli/core/ports';
import type pg from 'pg';
import { applicationRole } from './connections.ts';
import { accessOf, type TableOwners } from './table-owners.ts';

interface RoleRow {
  readonly exists: boolean;
  readonly is_unsafe: boolean;
  readonly may_become: boolean;
}

const roleIsThere = new Set(['42710', '23505']);
const mayNot = '42501';

/** Creates the role under which parts run if it is missing, and checks that this user can switch to it. */
export async function ensureApplicationRole(owner: pg.ClientBase): Promise<void> {
  let role = await readRole(owner);
  try {
    if (!role.exists) {
      await createRole(owner);
      role = await readRole(owner);
    }
    if (!role.may_become) await owner.query(`GRANT ${applicationRole} TO CURRENT_USER`);
  } catch (error) {
    if (sqlState(error) !== mayNot) throw error;
    throw new StoreError(
      'migration',
      `The user of the database URL is not allowed to set up the role ${applicationRole}. As an administrator run once: ` +
        `CREATE ROLE ${applicationRole} NOLOGIN NOSUPERUSER NOBYPASSRLS; ` +
        `GRANT ${applicationRole} TO the user of the URL. Then start again.`,
      { cause: error },
    );
  }
  if (role.is_unsafe) {
    throw new StoreError(
      'migration',
      `The role ${applicationRole} can bypass row-level security, so tenants would not be separate. ` +
        `As an administrator run: ALTER ROLE ${applicationRole} NOSUPERUSER NOBYPASSRLS.`,
    );
  }
}

/**
 * Revokes grants of earlier versions, which covered all tables and sequences of the schema, including those of other
 * programs and, by default privileges, future ones.
 */
export async function withdrawEarlierGrants(owner: pg.ClientBase, owners: TableOwners): Promise<void> {
  const { rows } = await owner.query<{ schema: string; names: readonly Named[] }>(earlierGrantsSql);
  const [found] = rows;
  if (found === undefined) return;
  const { schema, names } = found;
  const strays = names.filter(({ name }) => owners.ownerOf(name) === undefined);
  const statements = [
    ...(strays.length === 0
      ? []
      : [`REVOKE ALL ON TABLE ${strays.map(({ quoted }) => quoted).join(', ')} FROM ${applicationRole}`]),
    ...['TABLES', 'SEQUENCES'].map(
      (kind) => `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} REVOKE ALL ON ${kind} FROM ${applicationRole}`,
    ),
  ];
  await owner.query(statements.join(';'));
}

/** Returns no row unless default privileges of an earlier version remain. */
const earlierGrantsSql = `
  WITH here AS (SELECT current_schema()::regnamespace AS oid, '${applicationRole}'::regrole AS application)
  SELECT quote_ident(current_schema()) AS schema, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('name', c.relname, 'quoted', quote_ident(c.relname))), '[]')
    FROM pg_class AS c, aclexplode(c.relacl) AS granted
    WHERE c.relnamespace = here.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND granted.grantee = here.application
      AND granted.privilege_type = 'SELECT') AS names
  FROM here WHERE EXISTS (SELECT FROM pg_default_acl AS d, aclexplode(d.defaclacl) AS granted
    WHERE d.defaclnamespace = here.oid AND granted.grantee = here.application)`;

/**
 * Grants the application role the declared access to the tables and sequences of these sets. Other tables in the
 * schema, such as those of a program that embeds the service, are left alone. All grants are one statement list, which
 * takes effect atomically: at no time may the role update or delete rows of an append-only table.
 */
export async function grantTables(
  owner: pg.ClientBase,
  sets: readonly MigrationSet[],
  owners: TableOwners,
): Promise<void> {
  const { rows } = await owner.query<Grants>(grantsSql);
  const [grants] = rows;
  if (grants === undefined) throw new StoreError('migration', 'The search path of the database names no schema.');
  const { schema, tables, sequences } = grants;
  const setOf = (name: string) => sets.find((set) => set.owner === owners.ownerOf(name));
  const usable = sequences.filter(({ name }) => setOf(name) !== undefined);
  const statements = [
    ...(grants.may_use_schema ? [] : [`GRANT USAGE ON SCHEMA ${schema} TO ${applicationRole}`]),
    ...tables.flatMap((table) => {
      const set = setOf(table.name);
      return set === undefined ? [] : changesOf(table, accessOf(set, table.name));
    }),
    ...usable.map(({ quoted }) => `GRANT USAGE, SELECT ON SEQUENCE ${quoted} TO ${applicationRole}`),
  ];
  if (statements.length > 0) await owner.query(statements.join(';'));
}

interface Grants {
  readonly schema: string;
  readonly may_use_schema: boolean;
  readonly tables: readonly GrantedTable[];
  /** Sequences that the application role may not use yet. */
  readonly sequences: readonly Named[];
}

interface Named {
  readonly name: string;
  /** As SQL. */
  readonly quoted: string;
}

interface GrantedTable extends Named {
  /** The privileges that the application role has on the table now. */
  readonly held: readonly string[];
}

const everything = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const privileges: Readonly<Record<NonNullable<TableAccess['application']>, readonly string[]>> = {
  append: ['SELECT', 'INSERT'],
  read: ['SELECT'],
};

function changesOf({ quoted, held }: GrantedTable, { application }: TableAccess): readonly string[] {
  const wanted = application === undefined ? everything : privileges[application];
  const grant = `GRANT ${wanted.join(', ')} ON TABLE ${quoted} TO ${applicationRole}`;
  if (held.some((privilege) => !wanted.includes(privilege)))
    return [`REVOKE ALL ON TABLE ${quoted} FROM ${applicationRole}`, grant];
  return wanted.every((privilege) => held.includes(privilege)) ? [] : [grant];
}

const grantsSql = `
  WITH here AS (SELECT current_schema()::regnamespace AS oid, '${applicationRole}'::regrole AS application)
  SELECT quote_ident(current_schema()) AS schema, has_schema_privilege(here.application, here.oid, 'USAGE') AS may_use_schema,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', c.relname, 'quoted', quote_ident(c.relname), 'held',
      (SELECT coalesce(jsonb_agg(p.name), '[]') FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS p (name)
        WHERE has_table_privilege(here.application, c.oid, p.name)))), '[]') FROM pg_class AS c
      WHERE c.relnamespace = here.oid AND c.relkind IN ('r', 'p', 'v') AND c.relname <> 'kernel_migration') AS tables,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', c.relname, 'quoted', quote_ident(c.relname))), '[]') FROM pg_class AS c
      WHERE c.relnamespace = here.oid AND c.relkind = 'S' AND NOT (has_sequence_privilege(here.application, c.oid, 'USAGE')
        AND has_sequence_privilege(here.application, c.oid, 'SELECT'))
    ) AS sequences
  FROM here WHERE here.oid IS NOT NULL`;

async function readRole(owner: pg.ClientBase): Promise<RoleRow> {
  // From version 16 on, membership alone does not allow SET ROLE.
  const { rows } = await owner.query<RoleRow>(
    `SELECT true AS exists, rolsuper OR rolbypassrls AS is_unsafe,
       pg_has_role(current_user, oid,
         CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) AS may_become
     FROM pg_roles WHERE rolname = $1`,
    [applicationRole],
  );
  return rows[0] ?? { exists: false, is_unsafe: false, may_become: false };
}

async function createRole(owner: pg.ClientBase): Promise<void> {
  try {
    await owner.query(`CREATE ROLE ${applicationRole} NOLOGIN NOSUPERUSER NOBYPASSRLS`);
  } catch (error) {
    // Roles are server-wide: the migration of another database may have created it concurrently.
    if (!roleIsThere.has(sqlState(error) ?? '')) throw error;
  }
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
