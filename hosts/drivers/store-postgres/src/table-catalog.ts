import type pg from 'pg';
import { applicationRole } from './connections.ts';

/** The properties of a table or view in the catalog that decide who sees its rows. */
export interface TableRow {
  readonly name: string;
  /** As `pg_class.relkind` has it: r table, p partitioned table, v view, m materialized view, f foreign table. */
  readonly kind: string;
  readonly is_unlogged: boolean;
  readonly is_enabled: boolean;
  readonly is_forced: boolean;
  /** The application role is the owner, or may become it. */
  readonly is_of_application: boolean;
  readonly is_granted: boolean;
  readonly is_invoker_view: boolean;
  /** It has a column `graph_id` of type text, NOT NULL, with a collation under which only equal texts are equal. */
  readonly has_graph_id: boolean;
  readonly policies: readonly PolicyRow[];
  readonly keys: readonly KeyRow[];
  readonly references: readonly ReferenceRow[];
  readonly rules: readonly string[];
}

export interface PolicyRow {
  readonly name: string;
  /** As `pg_policy.polcmd` has it: r SELECT, a INSERT, w UPDATE, d DELETE, * all of them. */
  readonly command: string;
  readonly is_permissive: boolean;
  readonly is_public: boolean;
  readonly using: string | null;
  readonly check: string | null;
}

export interface KeyRow {
  readonly name: string;
  readonly is_primary: boolean;
  readonly is_constraint: boolean;
  /** In the order of the key; null for an expression. */
  readonly columns: readonly (string | null)[];
}

export interface ReferenceRow {
  readonly name: string;
  readonly target: string;
  readonly columns: readonly string[];
  readonly target_columns: readonly string[];
}

export interface FunctionRow {
  readonly name: string;
  readonly signature: string;
  readonly is_definer: boolean;
  /** It has its own search path, in which temporary tables come last. */
  readonly has_search_path: boolean;
  /** Its text changes a setting that policies compare with, which transactions may not do either. */
  readonly is_changing_scope: boolean;
  readonly language: string;
}

/** The tables and functions of the migrated schema that decide who sees rows. */
export interface TableCatalog {
  readonly tables: readonly TableRow[];
  /** Functions other than plain SQL with the privileges of their caller. */
  readonly functions: readonly FunctionRow[];
  /** The application role may bypass row-level security through a role that it is a member of. */
  readonly is_application_unsafe: boolean;
}

/** Found here because the statement gate checks only the text of statements, not of functions they call. */
const isChangingScope = `(p.prosrc ~* '\\mset_config\\M' OR p.prosrc ~* 'pacioli\\.(graph_id|scope)\\s*(=|\\mto\\M)'
  OR coalesce(array_to_string(p.proconfig, ' ') ~* '(^| )(pacioli\\.|role=)', false))`;

/** Sealing a chain calls the plugin's function for the content of a row as the owner of the tables. */
const runsAsOwner = `(p.prosecdef OR p.proname LIKE '%\\_chain\\_link')`;

const catalogSql = `
WITH here AS MATERIALIZED (SELECT current_schema()::regnamespace AS oid, '${applicationRole}'::regrole AS application),
keys AS (
  SELECT i.indrelid, jsonb_agg(jsonb_build_object('name', c.relname, 'is_primary', i.indisprimary,
    'is_constraint', EXISTS (SELECT FROM pg_constraint AS k WHERE k.conrelid = i.indrelid AND k.conindid = i.indexrelid
      AND k.contype IN ('p', 'u', 'x')),
    'columns', (SELECT jsonb_agg(a.attname ORDER BY part.position) FROM
      unnest(i.indkey::int2[]) WITH ORDINALITY AS part (number, position)
      LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = part.number AND part.number > 0
      WHERE part.position <= i.indnkeyatts)) ORDER BY c.relname) AS items
  FROM here JOIN pg_class AS c ON c.relnamespace = here.oid AND c.relkind IN ('i', 'I')
    JOIN pg_index AS i ON i.indexrelid = c.oid
  WHERE i.indisunique OR i.indisexclusion GROUP BY i.indrelid
), policies AS (
  SELECT p.polrelid, jsonb_agg(jsonb_build_object('name', p.polname, 'command', p.polcmd,
    'is_permissive', p.polpermissive, 'is_public', p.polroles = '{0}',
    'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid))
    ORDER BY p.polname) AS items
  FROM pg_policy AS p GROUP BY p.polrelid
), foreign_keys AS (
  SELECT k.conrelid, jsonb_agg(jsonb_build_object('name', k.conname, 'target', k.confrelid::regclass::text,
    'columns', (SELECT jsonb_agg(a.attname ORDER BY part.position) FROM unnest(k.conkey) WITH ORDINALITY
      AS part (number, position) JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = part.number),
    'target_columns', (SELECT jsonb_agg(a.attname ORDER BY part.position) FROM unnest(k.confkey) WITH ORDINALITY
      AS part (number, position) JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = part.number))
    ORDER BY k.conname) AS items
  FROM pg_constraint AS k WHERE k.contype = 'f' GROUP BY k.conrelid
), rules AS (
  SELECT ev_class, jsonb_agg(rulename ORDER BY rulename) AS items FROM pg_rewrite
  WHERE rulename <> '_RETURN' AND oid >= 16384 GROUP BY ev_class
)
SELECT jsonb_build_object('tables', (
  SELECT coalesce(jsonb_agg(jsonb_build_object('name', c.relname, 'kind', c.relkind,
    'is_unlogged', c.relpersistence <> 'p', 'is_enabled', c.relrowsecurity, 'is_forced', c.relforcerowsecurity,
    'is_of_application', pg_has_role(here.application, c.relowner, 'MEMBER'),
    'is_granted', EXISTS (SELECT FROM aclexplode(c.relacl) AS granted WHERE granted.grantee = here.application),
    'is_invoker_view', coalesce(c.reloptions && ARRAY['security_invoker=true', 'security_invoker=on'], false),
    'has_graph_id', EXISTS (SELECT FROM pg_attribute AS a LEFT JOIN pg_collation AS l ON l.oid = a.attcollation
      WHERE a.attrelid = c.oid AND a.attname = 'graph_id' AND a.atttypid = 'text'::regtype AND a.attnotnull
        AND NOT a.attisdropped AND coalesce(l.collisdeterministic, true)),
    'policies', coalesce(policies.items, '[]'), 'keys', coalesce(keys.items, '[]'),
    'references', coalesce(foreign_keys.items, '[]'), 'rules', coalesce(rules.items, '[]')) ORDER BY c.relname), '[]')
  FROM here JOIN pg_class AS c ON c.relnamespace = here.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    LEFT JOIN keys ON keys.indrelid = c.oid LEFT JOIN policies ON policies.polrelid = c.oid
    LEFT JOIN foreign_keys ON foreign_keys.conrelid = c.oid LEFT JOIN rules ON rules.ev_class = c.oid
  WHERE c.relname <> 'kernel_migration'
), 'functions', (
  SELECT coalesce(jsonb_agg(jsonb_build_object('name', p.proname, 'signature', p.oid::regprocedure::text,
    'is_definer', ${runsAsOwner}, 'language', l.lanname, 'is_changing_scope', ${isChangingScope},
    'has_search_path', NOT p.prosecdef OR coalesce(array_to_string(p.proconfig, ' ') ~ '(^| )search_path=[^=]*pg_temp"?( |$)', false))
    ORDER BY p.oid), '[]')
  FROM here JOIN pg_proc AS p ON p.pronamespace = here.oid JOIN pg_language AS l ON l.oid = p.prolang
  WHERE ${runsAsOwner} OR ${isChangingScope} OR (l.lanname NOT IN ('sql', 'plpgsql') AND p.prokind <> 'a')
), 'is_application_unsafe', (
  SELECT coalesce(bool_or(r.rolsuper OR r.rolbypassrls), false) FROM here, pg_roles AS r
  WHERE pg_has_role(here.application, r.oid, 'MEMBER')
)) AS catalog`;

/** Reads the catalog with one statement, because every start does. */
export async function readTableCatalog(owner: pg.ClientBase): Promise<TableCatalog> {
  const { rows } = await owner.query<{ catalog: TableCatalog }>({ name: 'pacioli-tables', text: catalogSql });
  const catalog = rows[0]?.catalog;
  if (catalog === undefined) throw new Error('The catalog of the database gave no row.');
  return catalog;
}
