import { sql } from 'kysely';
import type { OrgRole } from '../define/context.ts';
import { createToken, type Token } from '../services/token.ts';
import type { Transaction } from '../store/store.ts';

/** What plugins may ask about the people of an organisation; in kernel transactions. */
export interface OrgDirectory {
  /** The role of a user, or undefined for somebody who is not in the organisation. */
  roleOf(tx: Transaction, orgId: string, userId: string): Promise<OrgRole | undefined>;
  /** The organisation's name. */
  nameOf(tx: Transaction, orgId: string): Promise<string | undefined>;
}

export const orgDirectory: Token<OrgDirectory> = createToken('kernel.org-directory');

export const storedOrgDirectory: OrgDirectory = {
  roleOf: async (tx, orgId, userId) => {
    const [row] = await tx.query(sql<{ role: OrgRole }>`
      SELECT role FROM kernel_org_user WHERE org_id = ${orgId} AND user_id = ${userId}`);
    return row?.role;
  },
  nameOf: async (tx, orgId) => {
    const [row] = await tx.query(sql<{ name: string }>`SELECT name FROM kernel_org WHERE id = ${orgId}`);
    return row?.name;
  },
};
