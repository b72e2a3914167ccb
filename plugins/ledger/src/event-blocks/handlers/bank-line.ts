import { maxAmount } from '../../values/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A line of a bank's statement as it was captured. */
export interface BankLine {
  readonly eventType: string;
  /** The chart account of the bank account. */
  readonly bankElementId: string | null;
  /** Minor units; positive for an inflow. */
  readonly amount: number | null;
  readonly date: string;
  readonly metadata: Fields;
}

interface Share {
  readonly elementId: string;
  readonly amount: bigint;
}

/** The accounts chosen for a bank line: money moves from the credited to the debited accounts. */
export interface BankChoice {
  readonly postingDate: string;
  readonly debits: readonly Share[];
  readonly credits: readonly Share[];
}

/** The reason why a bank line cannot be booked as it is (ledger L-92). */
export class BankProblem extends Error {}

/** Limit of accounts over which one line is allocated. */
const maxAllocations = 500;

/**
 * Reads the accounts chosen in the metadata of a bank line; undefined when none were chosen. Throws a BankProblem for
 * an invalid choice (ledger L-91 to L-94).
 */
export function bankChoice(line: BankLine): BankChoice | undefined {
  if (line.metadata['source_removed'] === true)
    throw new BankProblem('The bank has withdrawn this line. Resolve it as a reconciling item, with catch_up.');
  const amount = amountOf(line);
  const size = amount < 0n ? -amount : amount;
  const postingDate = textAt(line.metadata, 'source_posted_date') ?? line.date;
  if (line.eventType === 'internal_transfer') {
    const transfer = transferOf(line);
    if (transfer === undefined) return undefined;
    return {
      postingDate,
      debits: [{ elementId: transfer.to, amount: size }],
      credits: [{ elementId: transfer.from, amount: size }],
    };
  }
  const contra = contraOf(line.metadata, size);
  if (contra === undefined) return undefined;
  if (line.bankElementId === null)
    throw new BankProblem('resource_element_id: the account of the bank is required on this event.');
  if (contra.some(({ elementId }) => elementId === line.bankElementId))
    throw new BankProblem('A bank line cannot be booked against the account of the bank itself.');
  const bank = [{ elementId: line.bankElementId, amount: size }];
  return amount > 0n ? { postingDate, debits: bank, credits: contra } : { postingDate, debits: contra, credits: bank };
}

/** Names the fields that the caller must send to book the line. */
export function missingChoice(eventType: string): string {
  return eventType === 'internal_transfer'
    ? 'metadata.from_element_id is required, and metadata.to_element_id where the event has no resource_element_id.'
    : 'An account is required: metadata.classified_element_id, metadata.classified_allocations, or accept_suggestion=true with a suggested_element_id.';
}

/** The amount that the bank sent last wins (ledger L-94). */
function amountOf({ amount, metadata }: BankLine): bigint {
  const value = metadata['source_amount'] ?? amount;
  if (value === null || value === 0) throw new BankProblem('A bank line without an amount cannot be booked.');
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new BankProblem('metadata.source_amount: must be a whole number of minor units.');
  return BigInt(value);
}

function transferOf(line: BankLine): { readonly from: string; readonly to: string } | undefined {
  const from = textAt(line.metadata, 'from_element_id');
  const to = textAt(line.metadata, 'to_element_id') ?? line.bankElementId;
  if (from === null || to === null) return undefined;
  if (from === to) throw new BankProblem('A transfer needs two different accounts.');
  return { from, to };
}

/** The contra accounts of the line, in the order of precedence of ledger L-91. */
function contraOf(metadata: Fields, size: bigint): readonly Share[] | undefined {
  const allocations = metadata['classified_allocations'] ?? null;
  if (allocations !== null) return sharesOf(allocations, size);
  const chosen = textAt(metadata, 'classified_element_id');
  const suggested = metadata['accept_suggestion'] === true ? textAt(metadata, 'suggested_element_id') : null;
  const elementId = chosen ?? suggested;
  return elementId === null ? undefined : [{ elementId, amount: size }];
}

function sharesOf(value: unknown, size: bigint): readonly Share[] {
  const path = 'metadata.classified_allocations';
  if (!Array.isArray(value) || value.length === 0 || value.length > maxAllocations)
    throw new BankProblem(`${path}: a list of 1 to ${maxAllocations} accounts with amounts is required.`);
  const shares = value.map((each: unknown, index) => {
    const share: Fields = typeof each === 'object' && each !== null ? Object.fromEntries(Object.entries(each)) : {};
    const { element_id: elementId, amount } = share;
    if (typeof elementId !== 'string' || typeof amount !== 'number' || !(amount > 0) || !Number.isSafeInteger(amount))
      throw new BankProblem(`${path}.${index}: element_id and an amount above zero, in minor units, are required.`);
    return { elementId, amount: BigInt(amount) };
  });
  const total = shares.reduce((sum, { amount }) => sum + amount, 0n);
  if (total !== size || total > BigInt(maxAmount))
    throw new BankProblem(`${path}: the amounts add up to ${total}, but the amount of the line is ${size}.`);
  return shares;
}

function textAt(fields: Fields, name: string): string | null {
  const value = fields[name] ?? null;
  if (value === null || (typeof value === 'string' && value !== '')) return value;
  throw new BankProblem(`metadata.${name}: must be text.`);
}
