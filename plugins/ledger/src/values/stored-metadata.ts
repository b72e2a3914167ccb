type Metadata = Readonly<Record<string, unknown>>;

/** The account of a line, and its amount in minor units: a debit above zero, a credit below. */
type ShortLine = readonly [elementId: string, amount: number];

/** No caller can set a key with this prefix (ledger L-76). */
const shortLinesKey = 'dispatch_lines';

/**
 * The metadata of an event as stored: lines that have only an account and one amount become the flat list
 * [account, amount, ...], half the size (ledger L-76a).
 */
export function storedMetadata(metadata: Metadata): Metadata {
  const { line_items: lines, ...rest } = metadata;
  if (!Array.isArray(lines) || lines.length === 0) return metadata;
  const short = lines.map(shortLine);
  return short.includes(undefined) ? metadata : { ...rest, [shortLinesKey]: short.flat() };
}

/** The metadata of an event from what is stored of it, with its keys in the order in which the store returns them. */
export function metadataOfStored(stored: Metadata): Metadata {
  const { [shortLinesKey]: short, ...rest } = stored;
  if (!Array.isArray(short)) return stored;
  if (Object.hasOwn(rest, 'line_items')) return rest;
  const lines = short.flatMap((elementId, index) => (index % 2 === 0 ? [wholeLine(elementId, short[index + 1])] : []));
  return Object.fromEntries(
    [...Object.entries(rest), ['line_items', lines] as const].sort(([a], [b]) => orderOfKeys(a, b)),
  );
}

function shortLine(line: unknown): ShortLine | undefined {
  if (typeof line !== 'object' || line === null || Object.keys(line).length !== 3) return undefined;
  const { element_id: id, debit_amount: debit, credit_amount: credit } = line as Metadata; // Any object is one.
  if (typeof id !== 'string' || !isAmount(debit) || !isAmount(credit) || debit > 0 === credit > 0) return undefined;
  return [id, debit - credit];
}

function wholeLine(id: string, amount: number): Metadata {
  return { element_id: id, debit_amount: Math.max(amount, 0), credit_amount: Math.max(-amount, 0) };
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** PostgreSQL orders the keys of a `jsonb` object by their length in bytes, and equally long ones by their bytes. */
function orderOfKeys(a: string, b: string): number {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length - second.length || Buffer.compare(first, second);
}
