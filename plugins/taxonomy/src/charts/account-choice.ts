/** The fields that identify an account across charts. */
interface Candidate {
  readonly id: string;
  readonly code: string | null;
  readonly name: string;
  /** The chart; null for an account imported from a provider. */
  readonly taxonomyId: string | null;
}

/** Prefers the accounts of the primary chart; returns all when none belongs to it, or when no chart is primary. */
export function preferPrimaryChart<A extends Candidate>(
  accounts: readonly A[],
  primaryChartId: string | undefined,
): readonly A[] {
  const primary = accounts.filter(({ taxonomyId }) => taxonomyId !== null && taxonomyId === primaryChartId);
  return primary.length > 0 ? primary : accounts;
}

/** The error message for a name that matches several accounts: it names two of them and the ways to resolve it. */
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
