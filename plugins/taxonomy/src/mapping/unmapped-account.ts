import type { UnmappedRow } from '../models/rows.ts';
import type { UnmappedAccount } from './suggest.ts';

/** A stored account as the scorer reads it. */
export function unmappedAccount(row: UnmappedRow): UnmappedAccount {
  return {
    code: row.code,
    name: row.name,
    subClassification: row.sub_classification,
    parentName: row.parent_name,
    parentTrait: row.parent_trait,
    parentConceptId: row.parent_concept_id,
    trait: row.trait,
    liquidity: row.liquidity,
    balanceType: row.balance_type,
  };
}
