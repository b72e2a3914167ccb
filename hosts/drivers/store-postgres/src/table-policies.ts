import type { TableAccess } from '@pacioli/core/ports';
import { isLimitedTo } from './policy-expression.ts';
import type { PolicyRow, TableRow } from './table-catalog.ts';

/** A fault that lets one graph read or change rows of another, with the statement that fixes it. */
export interface Finding {
  readonly fault: string;
  readonly fix: string;
}

/** The expressions as PostgreSQL prints them for stored policies. */
const ofGraph = `graph_id = current_setting('pacioli.graph_id'::text, true)`;
const ofKernel = `current_setting('pacioli.scope'::text, true) = 'kernel'::text`;

interface Limits {
  readonly reading: ReadonlySet<string>;
  readonly writing: ReadonlySet<string>;
}

/** Finds policies that are missing, or wider than the declared access (architecture, "Tenancy"). */
export function policyProblems(table: TableRow, access: TableAccess): readonly Finding[] {
  const { name } = table;
  const findings: Finding[] = [];
  if (!table.is_enabled)
    findings.push({ fault: 'row-level security is off', fix: `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;` });
  if (!table.is_forced)
    findings.push({
      fault: 'it is not forced on the owner of the table',
      fix: `ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;`,
    });
  const permissive = table.policies.filter((policy) => policy.is_permissive);
  if (permissive.length === 0) findings.push({ fault: 'there is no policy', fix: policyFor(name, access) });
  const limits = limitsOf(access);
  for (const policy of permissive) findings.push(...findingsOfPolicy(table, policy, { access, limits }));
  return findings;
}

function findingsOfPolicy(
  { name }: TableRow,
  policy: PolicyRow,
  { access, limits }: { readonly access: TableAccess; readonly limits: Limits },
): readonly Finding[] {
  const drop = `DROP POLICY ${policy.name} ON ${name};`;
  // Reads may see more rows than writes may touch; a policy for all commands is limited like a write.
  const seen = policy.command === 'r' ? limits.reading : limits.writing;
  const isTight =
    (policy.using !== null || policy.check !== null) &&
    (policy.using === null || isLimitedTo(policy.using, seen)) &&
    (policy.check === null || isLimitedTo(policy.check, limits.writing));
  if (!isTight) {
    const isKernel = policy.using !== null && isLimitedTo(policy.using, new Set([ofKernel]));
    if (access.rows !== 'kernel' && isKernel)
      return [
        {
          fault: `the policy ${policy.name} shows rows of all graphs to the scope kernel`,
          fix: `${drop} (or declare tables: { ${name}: { kernelScope: '${policy.command === 'r' ? 'read' : 'write'}' } } in the plugin)`,
        },
      ];
    return [
      {
        fault: `the policy ${policy.name} lets ${access.rows === 'kernel' ? 'graphs see the rows' : 'rows of other graphs through'}`,
        fix: drop,
      },
    ];
  }
  if (policy.is_public) return [];
  return [
    {
      fault: `the policy ${policy.name} holds for some roles only`,
      fix: `ALTER POLICY ${policy.name} ON ${name} TO PUBLIC;`,
    },
  ];
}

function limitsOf(access: TableAccess): Limits {
  const writing = new Set<string>();
  const reading: string[] = [];
  if (access.rows === 'kernel') {
    writing.add(ofKernel);
    if (access.graphScope === 'own-rows') writing.add(ofGraph);
    if (access.graphScope === 'read-all') reading.push('true');
  } else {
    writing.add(ofGraph);
    if (access.kernelScope === 'write') writing.add(ofKernel);
    if (access.kernelScope === 'read') reading.push(ofKernel);
    if (access.sharedGraph !== undefined)
      reading.push(`graph_id = '${access.sharedGraph.replaceAll("'", "''")}'::text`);
  }
  return { writing, reading: new Set([...writing, ...reading]) };
}

function policyFor(name: string, access: TableAccess): string {
  return access.rows === 'kernel'
    ? `CREATE POLICY kernel_scope ON ${name} USING (current_setting('pacioli.scope', true) = 'kernel');`
    : `CREATE POLICY own_graph ON ${name} USING (graph_id = current_setting('pacioli.graph_id', true));`;
}
