import { StoreError } from '@pacioli/core/ports';
import type pg from 'pg';
import { applicationRole } from './connections.ts';
import type { TableOwners } from './table-owners.ts';

interface RoleRow {
  readonly exists: boolean;
  readonly is_unsafe: boolean;
  readonly may_become: boolean;
}

const roleIsThere = new Set(['42710', '23505']);
const mayNot = '42501';

/** Creates the role as which parts run, when it is missing, and makes sure that this user can switch to it. */
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
      `The user of the database URL may not prepare the role ${applicationRole}. As an administrator run once: ` +
        `CREATE ROLE ${applicationRole} NOLOGIN NOSUPERUSER NOBYPASSRLS; ` +
        `GRANT ${applicationRole} TO the user of the URL. Then start again.`,
      { cause: error },
    );
  }
  if (role.is_unsafe) {
    throw new StoreError(
      'migration',
      `The role ${applicationRole} may pass row-level security, so tenants would not be separate. ` +
        `As an administrator run: ALTER ROLE ${applicationRole} NOSUPERUSER NOBYPASSRLS.`,
    );
  }
}

/**
 * Lets the application role use the tables and sequences that have an owner. Others in the schema, such as those of a
 * program that embeds the service, are none of its business.
 */
export async function grantTables(owner: pg.ClientBase, owners: TableOwners): Promise<void> {
  const { rows } = await owner.query<Grants>(grantsSql);
  const [grants] = rows;
  if (grants === undefined) throw new StoreError('migration', 'The search path of the database names no schema.');
  const { schema, tables, sequences } = grants;
  const statements = [
    ...(grants.may_use_schema ? [] : [`GRANT USAGE ON SCHEMA ${schema} TO ${applicationRole}`]),
    ...grantsOf('SELECT, INSERT, UPDATE, DELETE ON TABLE', tables, owners),
    ...grantsOf('USAGE, SELECT ON SEQUENCE', sequences, owners),
    // Tables of others would be granted as soon as they are created.
    ...(grants.has_default ? withdrawDefaults(schema) : []),
  ];
  if (statements.length > 0) await owner.query(statements.join(';'));
}

interface Grants {
  readonly schema: string;
  readonly may_use_schema: boolean;
  readonly has_default: boolean;
  /** Those that the application role may not use yet. */
  readonly tables: readonly Grantable[];
  readonly sequences: readonly Grantable[];
}

interface Grantable {
  readonly name: string;
  /** As SQL. */
  readonly quoted: string;
}

const grantsSql = `
  WITH here AS (SELECT current_schema()::regnamespace AS oid, '${applicationRole}'::regrole AS application)
  SELECT quote_ident(current_schema()) AS schema, has_schema_privilege(here.application, here.oid, 'USAGE') AS may_use_schema,
    EXISTS (SELECT FROM pg_default_acl AS d, aclexplode(d.defaclacl) AS granted
      WHERE d.defaclnamespace = here.oid AND granted.grantee = here.application) AS has_default,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', c.relname, 'quoted', quote_ident(c.relname))), '[]') FROM pg_class AS c
      WHERE c.relnamespace = here.oid AND c.relkind IN ('r', 'p', 'v') AND c.relname <> 'kernel_migration'
        AND NOT (has_table_privilege(here.application, c.oid, 'SELECT') AND has_table_privilege(here.application, c.oid, 'INSERT')
          AND has_table_privilege(here.application, c.oid, 'UPDATE') AND has_table_privilege(here.application, c.oid, 'DELETE'))
    ) AS tables,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', c.relname, 'quoted', quote_ident(c.relname))), '[]') FROM pg_class AS c
      WHERE c.relnamespace = here.oid AND c.relkind = 'S' AND NOT (has_sequence_privilege(here.application, c.oid, 'USAGE')
        AND has_sequence_privilege(here.application, c.oid, 'SELECT'))
    ) AS sequences
  FROM here WHERE here.oid IS NOT NULL`;

function grantsOf(privileges: string, objects: readonly Grantable[], owners: TableOwners): readonly string[] {
  const names = objects.filter(({ name }) => owners.ownerOf(name) !== undefined).map(({ quoted }) => quoted);
  return names.length === 0 ? [] : [`GRANT ${privileges} ${names.join(', ')} TO ${applicationRole}`];
}

function withdrawDefaults(schema: string): readonly string[] {
  return ['TABLES', 'SEQUENCES'].map(
    (kind) => `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} REVOKE ALL ON ${kind} FROM ${applicationRole}`,
  );
}

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
    // Roles belong to the whole server: another database's migration may have created it at the same moment.
    if (!roleIsThere.has(sqlState(error) ?? '')) throw error;
  }
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
