import { type Contract, compareWithContract } from './contract.ts';
import { type Difference, describeDifference } from './difference.ts';
import type { CaseResult } from './report.ts';
import type { Served } from './served.ts';

export interface ComparisonOptions {
  /** Added operations, queries and fields are failures. */
  readonly isExact: boolean;
  /** Operations and queries that the deployment does not serve are reported as such, and are no failures. */
  readonly isSubset: boolean;
}

/** The checks of the documents, and what the deployment serves beyond the contract. */
export interface ContractResults {
  readonly results: readonly CaseResult[];
  readonly additions: readonly Difference[];
}

/** Each operation, schema, query and type of the contract is a separate check. */
export function contractResults(
  contract: Contract,
  served: Served,
  { isExact, isSubset }: ComparisonOptions,
): ContractResults {
  const { ids, differences } = compareWithContract(contract, served);
  const added = isExact ? [] : differences.filter(({ kind }) => kind === 'added');
  const counted = differences.filter((difference) => !added.includes(difference));
  const beyond = new Set(added.filter(isWhole).map(({ id }) => id));
  const results = ids.filter((id) => !beyond.has(id)).map((id) => resultOf(id, counted, isSubset));
  return { results, additions: added };
}

function resultOf(id: string, differences: readonly Difference[], isSubset: boolean): CaseResult {
  const own = differences.filter((difference) => difference.id === id);
  const isAbsent = own.some((difference) => difference.kind === 'missing' && isWhole(difference));
  const outcome = own.length === 0 ? 'passed' : isAbsent && isSubset ? 'not_served' : 'failed';
  const advice = isAbsent && !isSubset ? ['A deployment without its plugin is tested with --subset.'] : [];
  return {
    id,
    level: 'MUST',
    title: `${id.replace(/^[a-z]+:/, '')} is served as the contract specifies`,
    clause: 'contract',
    outcome,
    messages: [...own.map(describeDifference), ...advice],
    duration_ms: 0,
  };
}

/** True for a whole operation or query, not a part of one. */
function isWhole({ where }: Difference): boolean {
  return /^(?:operation|query) /.test(where);
}
