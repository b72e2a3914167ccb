import { oneOf } from '@pacioli/core';

/** The system of record for entries that originate here, as a request may name it (ledger L-119). */
export const writePolicy = oneOf(['native', 'qb_authoritative']);
