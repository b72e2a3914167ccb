import { type RawBuilder, sql } from 'kysely';
import { HashChain } from '../chain/hash-chain.ts';
import type { KernelOperationAudit, KernelSecurityAudit } from '../rows.gen.ts';

/** The hash chains of the audit tables, by kind (platform P-30). */
export const auditChains = {
  security: new HashChain({ name: 'kernel_security_audit', subject: 'id', place: 'written' }),
  operations: new HashChain({ name: 'kernel_operation_audit', subject: 'operation_id', place: 'written' }),
} as const;

const tables = { security: 'kernel_security_audit', operations: 'kernel_operation_audit' } as const;

/** Selects the rows of an audit record since an instant, oldest first, in the scope `kernel`. */
export function auditRows(
  kind: keyof typeof tables,
  since: Date,
): RawBuilder<KernelSecurityAudit | KernelOperationAudit> {
  return sql`SELECT * FROM ${sql.table(tables[kind])} AS a WHERE at >= ${since} ORDER BY at, written`;
}
