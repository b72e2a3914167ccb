import { sql } from 'kysely';
import type { OrgRole } from '../define/context.ts';
import type { KernelOrg, KernelOrgUser } from '../rows.gen.ts';
import { createToken, type Token } from '../services/token.ts';
import type { Transaction } from '../store/store.ts';

/** Lookups of organizations and their members for plugins, in kernel transactions. */
export interface OrgDirectory {
  /** Returns the role of a user, or undefined for a non-member. */
  roleOf(tx: Transaction, orgId: string, userId: string): Promise<OrgRole | undefined>;
  /** Returns the organization's name. */
  nameOf(tx: Transaction, orgId: string): Promise<string | undefined>;
}

export const orgDirectory: Token<OrgDirectory> = createToken('kernel.org-directory');

export const storedOrgDirectory: OrgDirectory = {
  roleOf: async (tx, orgId, userId) => {
    const [row] = await tx.query(sql<Pick<KernelOrgUser, 'role'>>`
      SELECT role FROM kernel_org_user WHERE org_id = ${orgId} AND user_id = ${userId}`);
    return row?.role;
  },
  nameOf: async (tx, orgId) => {
    const [row] = await tx.query(sql<Pick<KernelOrg, 'name'>>`SELECT name FROM kernel_org WHERE id = ${orgId}`);
    return row?.name;
  },
};
