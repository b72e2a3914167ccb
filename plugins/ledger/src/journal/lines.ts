import { maxAmount } from '../values/index.ts';

/** One side of an entry: exactly one of the amounts is positive, in minor units. */
export interface Line {
  readonly elementId: string;
  readonly debit: bigint;
  readonly credit: bigint;
  readonly description: string | null;
  /** Metadata that a caller stores with the line; null when none. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** Returns the first problem of the lines of an entry, in the words of ledger L-45 and L-46, or undefined. */
export function problemOfLines(lines: readonly Line[]): string | undefined {
  for (const [index, line] of lines.entries()) {
    const problem = problemOfLine(line);
    if (problem !== undefined) return `Line item ${index}: ${problem}`;
  }
  if (lines.length < 2) return 'Journal entry needs at least 2 line items';
  const { debit, credit } = totals(lines);
  if (debit !== credit) {
    const difference = debit > credit ? debit - credit : credit - debit;
    return `Journal entry does not balance: total_debit=${debit} total_credit=${credit} (difference=${difference})`;
  }
  return debit > BigInt(maxAmount) ? `The total of the entry is above ${maxAmount} minor units` : undefined;
}

function problemOfLine(line: Line): string | undefined {
  if (line.elementId === '') return 'missing element_id';
  if (line.debit < 0n || line.credit < 0n) return 'amounts must be non-negative';
  if (line.debit === 0n && line.credit === 0n) return 'must have a non-zero debit or credit amount';
  if (line.debit > 0n && line.credit > 0n) return 'cannot have both debit and credit amounts';
  return undefined;
}

/** Σ debits and Σ credits. */
export function totals(lines: readonly Line[]): { readonly debit: bigint; readonly credit: bigint } {
  return lines.reduce((sum, line) => ({ debit: sum.debit + line.debit, credit: sum.credit + line.credit }), {
    debit: 0n,
    credit: 0n,
  });
}

/** The net effect of the lines on each account: debits less credits. */
export function netByAccount(lines: readonly Line[]): ReadonlyMap<string, bigint> {
  const nets = new Map<string, bigint>();
  for (const { elementId, debit, credit } of lines) nets.set(elementId, (nets.get(elementId) ?? 0n) + debit - credit);
  return nets;
}

/** The lines that undo these (ledger L-60). */
export function reversed(lines: readonly Line[]): readonly Line[] {
  return lines.map((line, index) => ({
    elementId: line.elementId,
    debit: line.credit,
    credit: line.debit,
    description: `Reversal of line ${index + 1}${line.description === null ? '' : `: ${line.description}`}`,
    metadata: line.metadata,
  }));
}
