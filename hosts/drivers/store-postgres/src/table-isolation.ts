import { type MigrationSet, StoreError, type TableAccess } from '@pacioli/core/ports';
import type pg from 'pg';
import { applicationRole } from './connections.ts';
import { type FunctionRow, readTableCatalog, type TableCatalog, type TableRow } from './table-catalog.ts';
import { accessOf, prefixOf, type TableOwners } from './table-owners.ts';
import { type Finding, policyProblems } from './table-policies.ts';

/** All faults of one table or function. */
export interface IsolationProblem {
  readonly subject: string;
  readonly owner: string | undefined;
  readonly findings: readonly Finding[];
}

interface Knowledge {
  readonly sets: ReadonlyMap<string, MigrationSet>;
  readonly owners: TableOwners;
  readonly tables: ReadonlyMap<string, TableRow>;
}

const maxProblems = 20;

/**
 * Throws when a table of these sets lets one graph read or change rows of another beyond the declared access. `file`
 * is the migration whose transaction is open, if any.
 */
export async function checkIsolation(
  owner: pg.ClientBase,
  sets: readonly MigrationSet[],
  owners: TableOwners,
  file?: string,
): Promise<void> {
  if (sets.length === 0) return;
  const catalog = await readTableCatalog(owner);
  if (catalog.is_application_unsafe)
    throw new StoreError(
      'migration',
      `The role ${applicationRole} can bypass row-level security through a role that it is a member of, so tenants would not ` +
        `be separate. As an administrator run for that role: REVOKE <role> FROM ${applicationRole};`,
    );
  const problems = isolationProblems(catalog, sets, owners);
  if (problems.length === 0) return;
  const shown = problems.slice(0, maxProblems).map((problem) => sentenceOf(problem, file));
  const rest = problems.length - shown.length;
  throw new StoreError('migration', [...shown, ...(rest > 0 ? [`${rest} more are not shown.`] : [])].join('\n'));
}

function sentenceOf({ subject, owner, findings }: IsolationProblem, file: string | undefined): string {
  const place = file ?? (owner === undefined ? 'the database' : `a new migration of ${owner}`);
  const whose = owner === undefined ? '' : ` of the plugin ${owner}`;
  const fault = new Intl.ListFormat('en', { type: 'conjunction' }).format(findings.map((finding) => finding.fault));
  const fix = findings.map((finding) => finding.fix).join(' ');
  return `${subject}${whose} does not keep graphs apart: ${fault}. Add to ${place}: ${fix}`;
}

/** Finds objects that are not isolated as declared. Tables of plugins outside of these sets are ignored. */
export function isolationProblems(
  catalog: TableCatalog,
  sets: readonly MigrationSet[],
  owners: TableOwners,
): readonly IsolationProblem[] {
  const known: Knowledge = {
    sets: new Map(sets.map((set) => [set.owner, set])),
    owners,
    tables: new Map(catalog.tables.map((table) => [table.name, table])),
  };
  const problems = [
    ...catalog.tables.map((table) => problemOfTable(table, known)),
    ...catalog.functions.map((each) => problemOfFunction(each, known)),
    ...sets.flatMap((set) => undeclaredProblems(set, catalog)),
  ];
  return problems.filter(({ findings }) => findings.length > 0);
}

function problemOfTable(table: TableRow, known: Knowledge): IsolationProblem {
  const owner = known.owners.ownerOf(table.name);
  const subject = `The table ${table.name}`;
  const set = owner === undefined ? undefined : known.sets.get(owner);
  if (owner === undefined) return { subject, owner, findings: findingsOfStray(table) };
  if (set === undefined) return { subject, owner, findings: [] };
  const findings = findingsOfKind(table) ?? [
    ...findingsOfOwner(table),
    ...findingsOfRows(table, accessOf(set, table.name), known),
  ];
  return { subject, owner, findings };
}

/** Such a table has no owner that declares its isolation, yet every part could read it. */
function findingsOfStray(table: TableRow): readonly Finding[] {
  if (!table.is_granted) return [];
  return [
    {
      fault: `its name begins with the name of no plugin, and the role ${applicationRole} may use it`,
      fix: `ALTER TABLE ${table.name} RENAME TO <plugin>_${table.name}; or REVOKE ALL ON ${table.name} FROM ${applicationRole};`,
    },
  ];
}

/** Faults of relations that row-level security does not cover; undefined for an ordinary table. */
function findingsOfKind(table: TableRow): readonly Finding[] | undefined {
  const { name } = table;
  if (table.kind === 'm')
    return [{ fault: 'a materialized view has no row-level security', fix: `DROP MATERIALIZED VIEW ${name};` }];
  if (table.kind === 'f')
    return [{ fault: 'a foreign table has no row-level security', fix: `DROP FOREIGN TABLE ${name};` }];
  if (table.kind !== 'v') return undefined;
  if (table.is_invoker_view) return [];
  const fault = 'the view reads its tables as their owner, for whom row-level security may not hold';
  return [{ fault, fix: `ALTER VIEW ${name} SET (security_invoker = true);` }];
}

function findingsOfOwner(table: TableRow): readonly Finding[] {
  const { name } = table;
  const findings: Finding[] = [];
  if (table.is_of_application)
    findings.push({
      fault: `the role ${applicationRole} owns it and could disable row-level security`,
      fix: `ALTER TABLE ${name} OWNER TO CURRENT_USER;`,
    });
  for (const rule of table.rules)
    findings.push({
      fault: `the rule ${rule} runs as the owner of the table`,
      fix: `DROP RULE ${rule} ON ${name};`,
    });
  return findings;
}

function findingsOfRows(table: TableRow, access: TableAccess, known: Knowledge): readonly Finding[] {
  const ofGraphs = access.rows !== 'kernel';
  // Returned alone, because without the column none of the other fixes could run.
  if (ofGraphs && !table.has_graph_id) return [missingColumn(table.name)];
  return [
    ...(ofGraphs ? [...findingsOfKeys(table), ...findingsOfStorage(table)] : []),
    ...findingsOfReferences(table, ofGraphs, known),
    ...policyProblems(table, access),
  ];
}

function findingsOfStorage({ name, is_unlogged }: TableRow): readonly Finding[] {
  const fault = 'it is unlogged, so that a crash empties it';
  return is_unlogged ? [{ fault, fix: `ALTER TABLE ${name} SET LOGGED;` }] : [];
}

function missingColumn(name: string): Finding {
  return {
    fault: 'it has no column graph_id of the type text, NOT NULL and with an exact collation',
    fix:
      `ALTER TABLE ${name} ADD COLUMN graph_id text NOT NULL; ` +
      `(if its rows are of no graph, declare tables: { ${name}: { rows: 'kernel' } } in the plugin)`,
  };
}

/** A key without the graph would let one graph detect or block values of another. */
function findingsOfKeys(table: TableRow): readonly Finding[] {
  const { name } = table;
  const findings: Finding[] = [];
  const primary = table.keys.find((key) => key.is_primary);
  if (primary === undefined)
    findings.push({ fault: 'it has no primary key', fix: `ALTER TABLE ${name} ADD PRIMARY KEY (graph_id, <column>);` });
  else if (primary.columns[0] !== 'graph_id') {
    const others = primary.columns.filter((column) => column !== 'graph_id');
    findings.push({
      fault: 'graph_id is not the first column of its primary key',
      fix: `ALTER TABLE ${name} DROP CONSTRAINT ${primary.name}, ADD PRIMARY KEY (graph_id, ${others.join(', ')});`,
    });
  }
  for (const key of table.keys) {
    if (key.is_primary || key.columns.includes('graph_id')) continue;
    const columns = ['graph_id', ...key.columns.map((column) => column ?? '<expression>')].join(', ');
    findings.push({
      fault: `the unique key ${key.name} spans all graphs`,
      fix: key.is_constraint
        ? `ALTER TABLE ${name} DROP CONSTRAINT ${key.name}, ADD CONSTRAINT ${key.name} UNIQUE (${columns});`
        : `DROP INDEX ${key.name}; CREATE UNIQUE INDEX ${key.name} ON ${name} (${columns});`,
    });
  }
  return findings;
}

/** Foreign key checks and cascades bypass row-level security. */
function findingsOfReferences(table: TableRow, ofGraphs: boolean, known: Knowledge): readonly Finding[] {
  const owner = known.owners.ownerOf(table.name);
  return table.references.flatMap(({ name, target, columns, target_columns }): readonly Finding[] => {
    const drop = `ALTER TABLE ${table.name} DROP CONSTRAINT ${name};`;
    const targetOwner = known.owners.ownerOf(target);
    if (targetOwner !== owner)
      return [{ fault: `its foreign key ${name} refers to ${target}, which is not its plugin's`, fix: drop }];
    const set = owner === undefined ? undefined : known.sets.get(owner);
    if (!ofGraphs || accessOf(set, target).rows === 'kernel') return [];
    const at = columns.indexOf('graph_id');
    if (at !== -1 && target_columns[at] === 'graph_id') return [];
    const pair = (names: readonly string[]) => ['graph_id', ...names.filter((each) => each !== 'graph_id')].join(', ');
    const add = `ALTER TABLE ${table.name} ADD FOREIGN KEY (${pair(columns)}) REFERENCES ${target} (${pair(target_columns)});`;
    return [{ fault: `its foreign key ${name} may refer to a row of another graph`, fix: `${drop} ${add}` }];
  });
}

function problemOfFunction(each: FunctionRow, known: Knowledge): IsolationProblem {
  const owner = known.owners.ownerOf(each.name);
  const set = owner === undefined ? undefined : known.sets.get(owner);
  const subject = `The function ${each.signature}`;
  if (set === undefined) return { subject, owner, findings: [] };
  return { subject, owner, findings: findingsOfFunction(each, set) };
}

function findingsOfFunction(each: FunctionRow, set: MigrationSet): readonly Finding[] {
  const { signature } = each;
  if (each.language !== 'sql' && each.language !== 'plpgsql')
    return [{ fault: `it is written in ${each.language}, not in SQL or PL/pgSQL`, fix: `DROP FUNCTION ${signature};` }];
  const isDeclared = set.kernelScopeFunctions?.includes(each.name) === true;
  if (each.is_changing_scope && !isDeclared)
    return [{ fault: 'it changes the scope of the transaction that calls it', fix: `DROP FUNCTION ${signature};` }];
  if (!each.is_definer) return [];
  if (set.securityDefinerFunctions?.includes(each.name) !== true)
    return [
      {
        fault: 'it runs as the owner of the tables, for whom row-level security may not hold',
        fix:
          `ALTER FUNCTION ${signature} SECURITY INVOKER; (or, when it reads no rows of graphs, declare ` +
          `securityDefinerFunctions: ['${each.name}'] in the plugin)`,
      },
    ];
  if (each.has_search_path) return [];
  const fault = 'it runs as the owner of the tables and finds tables by the search path of its caller';
  return [{ fault, fix: `ALTER FUNCTION ${signature} SET search_path FROM CURRENT;` }];
}

/** A declaration that matches no object is an error, because it may be a misspelled name. */
function undeclaredProblems(set: MigrationSet, catalog: TableCatalog): readonly IsolationProblem[] {
  const tables = new Set(catalog.tables.map(({ name }) => name));
  const definers = new Set(catalog.functions.filter((each) => each.is_definer).map(({ name }) => name));
  const changing = new Set(catalog.functions.filter((each) => each.is_changing_scope).map(({ name }) => name));
  const missing = [
    ...Object.keys(set.tables ?? {}).filter((name) => name !== '*' && !tables.has(name)),
    ...(set.securityDefinerFunctions ?? []).filter((name) => !definers.has(name)),
    ...(set.kernelScopeFunctions ?? []).filter((name) => !changing.has(name)),
  ];
  return missing.map((name) => ({
    subject: `The declaration of ${name}`,
    owner: set.owner,
    findings: [
      {
        fault: `no table or function of this kind has the name; they begin with ${prefixOf(set.owner)}`,
        fix: `(remove or correct it in the definition of the plugin)`,
      },
    ],
  }));
}
