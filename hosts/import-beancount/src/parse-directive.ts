import { type Amount, bookingMethods, type Directive } from './directives.ts';
import { readValue } from './parse-metadata.ts';
import { LineError, type TokenReader } from './token-reader.ts';

/** A directive before its file, line, date and metadata are added. */
type WithoutPlace<D> = D extends Directive ? Omit<D, 'file' | 'line' | 'date' | 'metadata'> : never;

/** Parses the rest of a dated line for every directive except a transaction. */
export function readHead(reader: TokenReader, kind: string): WithoutPlace<Directive> {
  switch (kind) {
    case 'open':
      return readOpen(reader);
    case 'balance':
      return readBalance(reader);
    case 'pad': {
      const account = reader.expect('account', 'the account to pad').text;
      return { kind, account, sourceAccount: reader.expect('account', 'the account that pays for the pad').text };
    }
    case 'close':
      reader.expect('account', 'the account to close');
      return { kind };
    case 'commodity':
      reader.expect('currency', 'a commodity such as USD');
      return { kind };
    case 'note':
      reader.expect('account', 'the account of the note');
      reader.expect('string', 'the note in quotes');
      skipTagsAndLinks(reader);
      return { kind };
    case 'document':
      reader.expect('account', 'the account of the document');
      reader.expect('string', 'the file of the document in quotes');
      skipTagsAndLinks(reader);
      return { kind };
    case 'event':
    case 'query':
      reader.expect('string', `the name of the ${kind} in quotes`);
      reader.expect('string', `the text of the ${kind} in quotes`);
      return { kind };
    case 'price':
      reader.expect('currency', 'a commodity such as USD');
      requireAmount(reader);
      return { kind };
    case 'custom':
      reader.expect('string', 'the type of the custom directive in quotes');
      while (!reader.isAtEnd) readValue(reader);
      return { kind };
    default:
      throw new LineError(`"${kind}" is not a directive; see the list of directives in the Beancount syntax.`);
  }
}

function skipTagsAndLinks(reader: TokenReader): void {
  while (reader.take('tag') ?? reader.take('link'));
}

function requireAmount(reader: TokenReader): Amount {
  const number = reader.expression();
  return { number, currency: reader.expect('currency', 'a currency such as USD after the number').text };
}

function readOpen(reader: TokenReader): WithoutPlace<Directive> {
  const account = reader.expect('account', 'the account to open').text;
  const currencies: string[] = [];
  while (reader.isNext('currency')) {
    currencies.push(reader.expect('currency', 'a currency').text);
    if (reader.take('punctuation', ',') === null) break;
  }
  const written = reader.take('string')?.text ?? null;
  const booking = bookingMethods.find((method) => method === written) ?? null;
  if (written !== null && booking === null) {
    throw new LineError(`"${written}" is not a booking method; use one of ${bookingMethods.join(', ')}.`);
  }
  return { kind: 'open', account, currencies, booking };
}

function readBalance(reader: TokenReader): WithoutPlace<Directive> {
  const account = reader.expect('account', 'the account to check').text;
  const number = reader.expression();
  const tolerance = reader.take('punctuation', '~') === null ? null : reader.expression();
  const currency = reader.expect('currency', 'a currency such as USD after the number').text;
  return { kind: 'balance', account, amount: { number, currency }, tolerance };
}
