import { absolute, type Decimal, divide, isZero, signOf, zero } from './decimal.ts';
import { type CostSpec, type IncompleteAmount, type Missing, missing, type ParsedPosting } from './directives.ts';
import { LineError, type TokenReader } from './token-reader.ts';

const flagMarks = ['*', '!', '&', '#', '?', '%'];

/** Consumes a flag: one mark, or a single capital letter. Returns null when there is none. */
export function takeFlag(reader: TokenReader): string | null {
  for (const mark of flagMarks) {
    if (reader.take('punctuation', mark)) return mark;
  }
  const next = reader.peek();
  if (next?.kind === 'currency' && next.text.length === 1) return reader.take('currency')?.text ?? null;
  return null;
}

/** Parses number and currency, either of which may be omitted. */
function readIncompleteAmount(reader: TokenReader): IncompleteAmount {
  const number = reader.startsNumber ? reader.expression() : missing;
  const currency = reader.take('currency')?.text ?? missing;
  return { number, currency };
}

/** Reads one posting: `flag? account units? {cost}? @ price?`. */
export function readPosting(reader: TokenReader, line: number): ParsedPosting {
  const flag = takeFlag(reader);
  const account = reader.expect('account', 'an account such as Assets:Bank').text;
  const written = readIncompleteAmount(reader);
  const isEmpty = written.number === missing && written.currency === missing;
  const cost = readCost(reader);
  const price = readPrice(reader, written);
  reader.requireEnd();
  if (cost !== null && price !== null) checkCurrencies(cost, price);
  return { line, flag, account, units: isEmpty ? missing : written, cost, price, metadata: {} };
}

function checkCurrencies(cost: CostSpec, price: IncompleteAmount): void {
  if (cost.currency === missing || price.currency === missing || cost.currency === price.currency) return;
  throw new LineError(`cost in ${cost.currency} and price in ${price.currency} differ; give both in one currency.`);
}

interface CostParts {
  perUnit: Decimal | Missing;
  total: Decimal | Missing | null;
  currency: string | Missing;
}

function readCost(reader: TokenReader): CostSpec | null {
  const isTotal = reader.take('punctuation', '{{') !== null;
  if (!isTotal && reader.take('punctuation', '{') === null) return null;
  const closing = isTotal ? '}}' : '}';
  let parts: CostParts | null = null;
  let date: string | null = null;
  let label: string | null = null;
  while (reader.take('punctuation', closing) === null) {
    if (reader.isNext('date')) {
      if (date !== null) throw new LineError('a cost has one date; remove the second.');
      date = reader.expect('date', 'a date').text;
    } else if (reader.isNext('string')) {
      if (label !== null) throw new LineError('a cost has one label; remove the second.');
      label = reader.expect('string', 'a label').text;
    } else {
      if (parts !== null) throw new LineError('a cost has one amount; remove the second.');
      parts = readCostAmount(reader);
    }
    if (!reader.isNext('punctuation', closing)) reader.expect('punctuation', `"," or "${closing}" in the cost`, ',');
  }
  if (parts === null) return { perUnit: missing, total: null, currency: missing, date, label };
  if (!isTotal) return { ...parts, date, label };
  if (parts.total !== null) throw new LineError('{{ }} holds one total; use { } for an amount per unit with "#".');
  return { perUnit: zero, total: parts.perUnit, currency: parts.currency, date, label };
}

function readCostAmount(reader: TokenReader): CostParts {
  if (reader.isNext('punctuation', '*')) {
    throw new LineError('merging lots with {*} is not supported; name the lot by its cost, date or label.');
  }
  const perUnit = reader.startsNumber ? reader.expression() : missing;
  let total: Decimal | Missing | null = null;
  if (reader.take('punctuation', '#')) total = reader.startsNumber ? reader.expression() : missing;
  const currency = reader.take('currency')?.text ?? missing;
  if (perUnit === missing && total === null && currency === missing) {
    throw new LineError(`expected an amount, a date or a label in the cost but found ${reader.describeNext()}.`);
  }
  return { perUnit, total, currency };
}

function readPrice(reader: TokenReader, units: IncompleteAmount): IncompleteAmount | null {
  const isTotal = reader.take('punctuation', '@@') !== null;
  if (!isTotal && reader.take('punctuation', '@') === null) return null;
  const price = readIncompleteAmount(reader);
  if (price.number !== missing && signOf(price.number) < 0) {
    throw new LineError('a price cannot be negative; put the sign on the units.');
  }
  if (!isTotal) return price;
  if (units.number === missing) {
    throw new LineError('a total price (@@) needs the number of units; write it, or use a price per unit (@).');
  }
  if (price.number === missing) return price;
  // Beancount converts a total price to a unit price of 28 digits first, so weights must be computed the same way.
  const perUnit = isZero(units.number) ? zero : divide(price.number, absolute(units.number));
  return { number: perUnit, currency: price.currency };
}
