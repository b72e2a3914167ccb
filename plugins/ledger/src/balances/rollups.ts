/** A reporting concept with the accounts that roll up into it. */
export interface RollupGroup<A> {
  readonly conceptId: string;
  readonly name: string;
  readonly qname: string;
  readonly trait: string;
  readonly balanceType: 'debit' | 'credit';
  /** Natural: positive on the side of the concept (ledger L-38). */
  readonly total: bigint;
  readonly accounts: readonly A[];
}

/** An account with its sums in minor units. */
export interface RolledUp {
  readonly accountId: string;
  readonly debit: bigint;
  readonly credit: bigint;
}

export interface RollupConcept {
  readonly id: string;
  readonly qname: string | null;
  readonly name: string;
  readonly trait: string | null;
  readonly balanceType: string;
}

const order = ['asset', 'liability', 'equity', 'revenue', 'expense'];

/** The group of a trait; a contra account is grouped with the account that it offsets. */
function kindOf(trait: string | null): string {
  const kind = (trait ?? 'other').replace(/^contra(?=.)/, '').toLowerCase();
  return order.includes(kind) ? kind : 'other';
}

/** The balance on the side of a concept: debits less credits, or the reverse (ledger L-38). */
export function naturalBalance(balanceType: string, { debit, credit }: Pick<RolledUp, 'debit' | 'credit'>): bigint {
  return balanceType === 'credit' ? credit - debit : debit - credit;
}

/** Groups accounts by their concept, in the order of ledger L-42; accounts keep their input order. */
export function rollUp<A extends RolledUp>(
  rows: readonly { readonly account: A; readonly concept: RollupConcept }[],
): readonly RollupGroup<A>[] {
  const groups = new Map<string, { concept: RollupConcept; accounts: A[] }>();
  for (const { account, concept } of rows) {
    const group = groups.get(concept.id) ?? { concept, accounts: [] };
    group.accounts.push(account);
    groups.set(concept.id, group);
  }
  return [...groups.values()]
    .map(({ concept, accounts }) => ({
      conceptId: concept.id,
      name: concept.name,
      qname: concept.qname ?? '',
      trait: concept.trait ?? 'other',
      balanceType: concept.balanceType === 'credit' ? ('credit' as const) : ('debit' as const),
      total: accounts.reduce((sum, account) => sum + naturalBalance(concept.balanceType, account), 0n),
      accounts,
    }))
    .sort((left, right) => placeOf(left.trait) - placeOf(right.trait) || compare(left.name, right.name));
}

function placeOf(trait: string): number {
  const place = order.indexOf(kindOf(trait));
  return place === -1 ? order.length : place;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
