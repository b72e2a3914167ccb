import type { Decimal } from './decimal.ts';

/** Stands for a value that the journal omits and booking must infer. */
export const missing = 'missing';
export type Missing = typeof missing;

export interface Amount {
  readonly number: Decimal;
  readonly currency: string;
}

export interface IncompleteAmount {
  readonly number: Decimal | Missing;
  readonly currency: string | Missing;
}

/** The cost specification in braces after the units. `null` is an absent part, `missing` one that must be inferred. */
export interface CostSpec {
  readonly perUnit: Decimal | Missing;
  readonly total: Decimal | Missing | null;
  readonly currency: string | Missing;
  readonly date: string | null;
  readonly label: string | null;
}

export type MetadataValue = string | boolean | null;
export type Metadata = Readonly<Record<string, MetadataValue>>;

export interface ParsedPosting {
  readonly line: number;
  readonly flag: string | null;
  readonly account: string;
  readonly units: IncompleteAmount | Missing;
  readonly cost: CostSpec | null;
  readonly price: IncompleteAmount | null;
  readonly metadata: Metadata;
}

interface Dated {
  readonly file: string;
  readonly line: number;
  readonly date: string;
  readonly metadata: Metadata;
}

export const bookingMethods = ['STRICT', 'FIFO', 'LIFO', 'NONE', 'AVERAGE'] as const;
export type BookingMethod = (typeof bookingMethods)[number];

interface Open extends Dated {
  readonly kind: 'open';
  readonly account: string;
  readonly currencies: readonly string[];
  readonly booking: BookingMethod | null;
}

export interface Balance extends Dated {
  readonly kind: 'balance';
  readonly account: string;
  readonly amount: Amount;
  readonly tolerance: Decimal | null;
}

export interface Pad extends Dated {
  readonly kind: 'pad';
  readonly account: string;
  readonly sourceAccount: string;
}

export interface Transaction extends Dated {
  readonly kind: 'transaction';
  readonly flag: string;
  readonly payee: string | null;
  readonly narration: string;
  readonly tags: readonly string[];
  readonly links: readonly string[];
  readonly postings: readonly ParsedPosting[];
}

/** Directives whose syntax is checked and that post nothing to a ledger. */
interface OtherDirective extends Dated {
  readonly kind: 'close' | 'commodity' | 'note' | 'event' | 'price' | 'document' | 'query' | 'custom';
}

export type Directive = Open | Balance | Pad | Transaction | OtherDirective;

export interface JournalOption {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly value: string;
}

export interface NamedLine {
  readonly line: number;
  readonly name: string;
}

/** The content of one file in source order. */
export interface ParsedJournal {
  readonly directives: readonly Directive[];
  readonly options: readonly JournalOption[];
  readonly includes: readonly NamedLine[];
  readonly plugins: readonly NamedLine[];
}

const sameDayOrder: Readonly<Partial<Record<Directive['kind'], number>>> = {
  open: -2,
  balance: -1,
  document: 1,
  close: 2,
};

/** Beancount's order: by date; on one day opens, balances, the rest, documents, closes; then by line. */
export function compareDirectives(left: Directive, right: Directive): number {
  if (left.date !== right.date) return left.date < right.date ? -1 : 1;
  const kinds = (sameDayOrder[left.kind] ?? 0) - (sameDayOrder[right.kind] ?? 0);
  return kinds !== 0 ? kinds : left.line - right.line;
}
