import { sql } from 'kysely';
import type { GraphRole, OrgRole } from '../define/context.ts';
import type { Transaction } from '../store/store.ts';

/** A person and their organization, as the identity of a deployment knows them. */
export interface Person {
  readonly userId: string;
  /** Shown to others; two persons may have the same. */
  readonly email: string;
  readonly name: string;
  readonly org: { readonly id: string; readonly name: string; readonly role: OrgRole };
  /** Roles on graphs of the organization. If given, they replace the grants that were made through the API. */
  readonly graphRoles?: readonly { readonly graphId: string; readonly role: GraphRole }[];
}

/** True if the directory has the person as given, so that enrolling them would change nothing. */
export async function isEnrolled(tx: Transaction, person: Person): Promise<boolean> {
  const { userId, email, name, org, graphRoles } = person;
  const found = await tx.query(sql`
    SELECT 1 AS found FROM kernel_user u JOIN kernel_org_user m ON m.user_id = u.id JOIN kernel_org o ON o.id = m.org_id
    WHERE u.id = ${userId} AND NOT u.is_account AND (u.email, u.name) = (${email}, ${name})
      AND (o.id, o.name, m.role) = (${org.id}, ${org.name}, ${org.role})
      AND NOT EXISTS (SELECT 1 FROM kernel_selected_graph WHERE user_id = ${userId} AND ${ofOtherOrgs(org.id)})
      AND NOT EXISTS (SELECT 1 FROM kernel_graph_user WHERE user_id = ${userId} AND ${ofOtherOrgs(org.id)})
      ${graphRoles === undefined ? sql`` : sql`AND ${hasGrants(person, graphRoles)}`}`);
  return found.length > 0;
}

/**
 * Writes a person into the directory that quotas, lists of members and roles on graphs read, in a kernel transaction.
 * Grants end with the membership of their organization (platform P-3).
 */
export async function enrollPerson(
  tx: Transaction,
  person: Person,
  { now, maxGraphs }: { readonly now: Date; readonly maxGraphs: number },
): Promise<void> {
  const { userId, org, graphRoles } = person;
  await tx.query(sql`
    INSERT INTO kernel_org AS o (id, name, org_type, graphs_max, created_at, updated_at)
    VALUES (${org.id}, ${org.name}, 'team', ${maxGraphs}, ${now}, ${now})
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at
      WHERE o.name <> excluded.name`);
  await tx.query(sql`
    INSERT INTO kernel_user AS u (id, email, name, is_account, created_at, updated_at)
    VALUES (${userId}, ${person.email}, ${person.name}, false, ${now}, ${now})
    ON CONFLICT (id) DO UPDATE
      SET email = excluded.email, name = excluded.name, is_account = false, updated_at = excluded.updated_at
      WHERE (u.email, u.name, u.is_account) <> (excluded.email, excluded.name, false)`);
  await tx.query(sql`
    INSERT INTO kernel_org_user AS m (user_id, org_id, role, joined_at)
    VALUES (${userId}, ${org.id}, ${org.role}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET org_id = excluded.org_id, role = excluded.role
      WHERE (m.org_id, m.role) <> (excluded.org_id, excluded.role)`);
  await withdrawForeignGrants(tx, userId, org.id);
  if (graphRoles !== undefined) await replaceGrants(tx, person, graphRoles, now);
}

/** Deletes the grants and the selection of a user on graphs of other organizations. */
async function withdrawForeignGrants(tx: Transaction, userId: string, orgId: string): Promise<void> {
  await tx.query(sql`DELETE FROM kernel_selected_graph WHERE user_id = ${userId} AND ${ofOtherOrgs(orgId)}`);
  await tx.query(sql`DELETE FROM kernel_graph_user WHERE user_id = ${userId} AND ${ofOtherOrgs(orgId)}`);
}

function ofOtherOrgs(orgId: string) {
  return sql`graph_id IN (SELECT graph_id FROM kernel_graph WHERE org_id <> ${orgId})`;
}

type GraphRoles = NonNullable<Person['graphRoles']>;

/** Selects the given roles on graphs that the organization has. */
function givenGrants({ org }: Person, roles: GraphRoles) {
  return sql`
    SELECT g.graph_id, given.role
    FROM unnest(${roles.map(({ graphId }) => graphId)}::text[], ${roles.map(({ role }) => role)}::text[])
      AS given (graph_id, role)
    JOIN kernel_graph g ON g.graph_id = given.graph_id AND g.org_id = ${org.id} AND g.parent_id IS NULL`;
}

function hasGrants(person: Person, roles: GraphRoles) {
  const given = givenGrants(person, roles);
  const stored = sql`SELECT graph_id, role FROM kernel_graph_user WHERE user_id = ${person.userId}`;
  return sql`NOT EXISTS ((${given} EXCEPT ${stored}) UNION ALL (${stored} EXCEPT ${given}))`;
}

async function replaceGrants(tx: Transaction, person: Person, roles: GraphRoles, now: Date): Promise<void> {
  const { userId } = person;
  const graphIds = roles.map(({ graphId }) => graphId);
  await tx.query(sql`
    DELETE FROM kernel_graph_user WHERE user_id = ${userId} AND graph_id <> ALL(${graphIds}::text[])`);
  await tx.query(sql`
    INSERT INTO kernel_graph_user AS a (graph_id, user_id, role, source, created_at)
    SELECT graph_id, ${userId}, role, 'identity', ${now} FROM (${givenGrants(person, roles)}) given
    ON CONFLICT (graph_id, user_id) DO UPDATE SET role = excluded.role WHERE a.role <> excluded.role`);
}
