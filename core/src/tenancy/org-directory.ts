import { createToken, type Token } from '../container/token.ts';
import type { OrgRole } from '../define/context.ts';
import type { KernelTables } from '../rows.gen.ts';
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
    const members = tx.tables<KernelTables>().selectFrom('kernel_org_user');
    const row = await members
      .select('role')
      .where('org_id', '=', orgId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.role;
  },
  nameOf: async (tx, orgId) => {
    const organizations = tx.tables<KernelTables>().selectFrom('kernel_org');
    const row = await organizations.select('name').where('id', '=', orgId).executeTakeFirst();
    return row?.name;
  },
};
