import { ServiceError, StoreError, sql, type Transaction } from '@pacioli/core';
import type { FactSetFilter } from '../models/facts.ts';
import { setConditions } from './fact-conditions.ts';

/** Makes the matching sets final; those that already are do not count (P-16). */
export async function finalizeSets(tx: Transaction, filter: FactSetFilter): Promise<number> {
  const [row] = await tx.query(sql<{ finalized: number }>`
    with final as (
      update blocks_fact_set s set is_final = true where not s.is_final and ${setConditions(tx, filter)} returning 1)
    select count(*)::int as finalized from final`);
  return row?.finalized ?? 0;
}

/** Turns the refusal of the trigger into the error that callers declare; any other error is thrown unchanged. */
export function refuseFinal(error: unknown): never {
  if (!(error instanceof StoreError) || error.constraint !== 'blocks_fact_set_final') throw error;
  throw new ServiceError(
    'conflict',
    'FACT_SET_FINAL',
    'The facts belong to a filed report and cannot change. Restate the report instead.',
    { cause: error },
  );
}
