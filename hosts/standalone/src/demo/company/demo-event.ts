/** One side of an entry, in whole cents; exactly one of the two amounts is above zero. */
export interface DemoLine {
  readonly code: string;
  readonly debitCents: number;
  readonly creditCents: number;
  readonly memo: string;
}

/** A business event of one day with its journal entry. */
export interface DemoEvent {
  readonly date: string;
  readonly event_type: string;
  readonly event_category: string;
  readonly description: string;
  /** The same in every run, so that a second delivery is recognized (ledger L-83). */
  readonly external_id: string;
  readonly lines: readonly DemoLine[];
}

export interface EventFacts {
  readonly date: string;
  /** The rule that produced the event; together with the date it forms the external id. */
  readonly rule: string;
  readonly type: string;
  readonly category: string;
  readonly description: string;
}

/** Lines with a zero amount are dropped, so that a rule may compute zero for a day. */
export function demoEvent(facts: EventFacts, lines: readonly DemoLine[]): DemoEvent {
  return {
    date: facts.date,
    event_type: facts.type,
    event_category: facts.category,
    description: facts.description,
    external_id: `larkspur-${facts.rule}-${facts.date}`,
    lines: lines.filter((line) => line.debitCents !== 0 || line.creditCents !== 0),
  };
}

export function debit(code: string, cents: number, memo: string): DemoLine {
  return { code, debitCents: cents, creditCents: 0, memo };
}

export function credit(code: string, cents: number, memo: string): DemoLine {
  return { code, debitCents: 0, creditCents: cents, memo };
}

/** A share in basis points of a non-negative amount in cents, rounded half up. */
export function share(cents: number, basisPoints: number): number {
  return Number((BigInt(cents) * BigInt(basisPoints) + 5_000n) / 10_000n);
}

/** Debits less credits in cents of the accounts with these code prefixes, both days inclusive. */
export function movementOf(
  events: readonly DemoEvent[],
  codes: readonly string[],
  days: { readonly from?: string; readonly to: string },
): number {
  return events
    .filter((event) => event.date <= days.to && event.date >= (days.from ?? ''))
    .flatMap((event) => event.lines)
    .filter((line) => codes.some((code) => line.code.startsWith(code)))
    .reduce((sum, line) => sum + line.debitCents - line.creditCents, 0);
}
