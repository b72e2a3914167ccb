import { StoreError } from '@pacioli/core/ports';
import type pg from 'pg';
import { applicationRole } from './connections.ts';

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
 * Lets the application role use what migrations created, and what later ones will create. All of it is one statement list,
 * which takes effect at once: at no time may the role change what it may only append to.
 */
export async function grantTables(owner: pg.ClientBase): Promise<void> {
  const { rows } = await owner.query<{ schema: string }>('SELECT quote_ident(current_schema()) AS schema');
  const schema = rows[0]?.schema;
  if (schema === undefined) throw new StoreError('migration', 'The search path of the database names no schema.');
  const tables = 'SELECT, INSERT, UPDATE, DELETE ON';
  const sequences = 'USAGE, SELECT ON';
  await owner.query(`
    GRANT USAGE ON SCHEMA ${schema} TO ${applicationRole};
    GRANT ${tables} ALL TABLES IN SCHEMA ${schema} TO ${applicationRole};
    GRANT ${sequences} ALL SEQUENCES IN SCHEMA ${schema} TO ${applicationRole};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT ${tables} TABLES TO ${applicationRole};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT ${sequences} SEQUENCES TO ${applicationRole};
    REVOKE ALL ON kernel_migration FROM ${applicationRole};
    ${lesserGrants}`);
}

/** Tables of which migrations said that less is enough. */
const lesserGrants = `DO $grants$
  DECLARE lesser record;
  BEGIN
    IF to_regclass('kernel_table_grant') IS NULL THEN RETURN; END IF;
    FOR lesser IN EXECUTE 'SELECT name, privileges FROM kernel_table_grant' LOOP
      EXECUTE format('REVOKE ALL ON %I FROM ${applicationRole}; GRANT %s ON %1$I TO ${applicationRole}', lesser.name, lesser.privileges);
    END LOOP;
  END $grants$;`;

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
