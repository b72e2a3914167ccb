/** What tells accounts of different charts apart. */
interface Candidate {
  readonly id: string;
  readonly code: string | null;
  readonly name: string;
  /** The chart; null for an account that a provider brought. */
  readonly taxonomyId: string | null;
}

/** Those of the accounts that are of the primary chart; all of them when none is, or when no chart is primary. */
export function preferPrimaryChart<A extends Candidate>(
  accounts: readonly A[],
  primaryChartId: string | undefined,
): readonly A[] {
  const primary = accounts.filter(({ taxonomyId }) => taxonomyId !== null && taxonomyId === primaryChartId);
  return primary.length > 0 ? primary : accounts;
}

/** Says that a name means more than one account, which ones, and what to do. */
export function ambiguityMessage(name: string, [first, second]: readonly Candidate[]): string {
  const shown = (account: Candidate | undefined) =>
    account === undefined
      ? ''
      : `'${account.code ?? ''} ${account.name}' (${account.id}${account.taxonomyId === null ? '' : ` of chart ${account.taxonomyId}`})`;
  return (
    `'${name}' means more than one active account: ${shown(first)} and ${shown(second)}. Name the account by its id, ` +
    'retire one of them, or make its chart the primary one with link-entity-taxonomy.'
  );
}
