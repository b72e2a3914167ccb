import { HashChain } from '../chain/hash-chain.ts';

/** The hash chains of the audit tables, by kind (platform P-30). */
export const auditChains = {
  security: new HashChain('kernel_security_audit', 'id'),
  operations: new HashChain('kernel_operation_audit', 'operation_id'),
} as const;
