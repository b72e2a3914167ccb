import { formatDecimal } from './decimal.ts';
import type { MetadataValue } from './directives.ts';
import { LineError, type TokenReader } from './token-reader.ts';

/** Reads `key: value`; a key without a value is null. */
export function readKeyValue(reader: TokenReader): [string, MetadataValue] {
  const key = reader.expect('key', 'a metadata key such as invoice:').text;
  reader.expect('punctuation', 'a colon after the key', ':');
  return [key, reader.isAtEnd ? null : readValue(reader)];
}

/** Reads one value of metadata or of a custom directive; amounts are kept as text. */
export function readValue(reader: TokenReader): MetadataValue {
  if (reader.startsNumber) {
    const number = formatDecimal(reader.expression());
    const currency = reader.take('currency')?.text;
    return currency === undefined ? number : `${number} ${currency}`;
  }
  for (const kind of ['string', 'date', 'account', 'currency', 'tag', 'link'] as const) {
    const token = reader.take(kind);
    if (token !== null) return token.text;
  }
  if (reader.take('word', 'TRUE')) return true;
  if (reader.take('word', 'FALSE')) return false;
  if (reader.take('word', 'NULL')) return null;
  throw new LineError(`${reader.describeNext()} is not a value; put text in quotes.`);
}

/** Parses one line of metadata into `metadata`; the first of two equal keys wins, as in Beancount. */
export function addMetadata(metadata: Record<string, MetadataValue>, reader: TokenReader): void {
  const [key, value] = readKeyValue(reader);
  reader.requireEnd();
  if (!Object.hasOwn(metadata, key)) metadata[key] = value;
}
