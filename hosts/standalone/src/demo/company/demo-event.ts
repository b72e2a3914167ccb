/** One side of an entry, in whole cents; exactly one of the two amounts is above zero. */
export interface DemoLine {
  readonly code: string;
  readonly debitCents: number;
  readonly creditCents: number;
  readonly memo: string;
}

/** What happened on a day, with the entry that it makes. */
export interface DemoEvent {
  readonly date: string;
  readonly event_type: string;
  readonly event_category: string;
  readonly description: string;
  /** The same in every run, so that a second delivery is recognised (ledger L-83). */
  readonly external_id: string;
  readonly lines: readonly DemoLine[];
}

export interface EventFacts {
  readonly date: string;
  /** Names the rule that made the event; with the date it makes the external id. */
  readonly rule: string;
  readonly type: string;
  readonly category: string;
  readonly description: string;
}

/** Lines without an amount are left out, so that a rule may compute nothing for a day. */
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

/** A share in hundredths of a percent of an amount in cents, rounded half up; amounts are not negative. */
export function share(cents: number, basisPoints: number): number {
  return Number((BigInt(cents) * BigInt(basisPoints) + 5_000n) / 10_000n);
}

/** Debits less credits of the accounts with these codes (or beginnings of codes), both days included, in cents. */
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
