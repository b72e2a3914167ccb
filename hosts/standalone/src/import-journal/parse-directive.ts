import { type Amount, bookingMethods, type Directive } from './directives.ts';
import { readValue } from './parse-metadata.ts';
import { LineError, type TokenReader } from './token-reader.ts';

/** A directive before its file, line, date and metadata are put to it. */
type WithoutPlace<D> = D extends Directive ? Omit<D, 'file' | 'line' | 'date' | 'metadata'> : never;

/** Reads what follows the date in every directive but a transaction. */
export function readHead(reader: TokenReader, kind: string): WithoutPlace<Directive> {
  switch (kind) {
    case 'open':
      return readOpen(reader);
    case 'balance':
      return readBalance(reader);
    case 'pad': {
      const account = reader.need('account', 'the account to pad').text;
      return { kind, account, sourceAccount: reader.need('account', 'the account that pays for the pad').text };
    }
    case 'close':
      reader.need('account', 'the account to close');
      return { kind };
    case 'commodity':
      reader.need('currency', 'a commodity such as USD');
      return { kind };
    case 'note':
      reader.need('account', 'the account of the note');
      reader.need('string', 'the note in quotes');
      skipTagsAndLinks(reader);
      return { kind };
    case 'document':
      reader.need('account', 'the account of the document');
      reader.need('string', 'the file of the document in quotes');
      skipTagsAndLinks(reader);
      return { kind };
    case 'event':
    case 'query':
      reader.need('string', `the name of the ${kind} in quotes`);
      reader.need('string', `the text of the ${kind} in quotes`);
      return { kind };
    case 'price':
      reader.need('currency', 'a commodity such as USD');
      needAmount(reader);
      return { kind };
    case 'custom':
      reader.need('string', 'the type of the custom directive in quotes');
      while (!reader.isAtEnd) readValue(reader);
      return { kind };
    default:
      throw new LineError(`"${kind}" is not a directive; see the list of directives in the Beancount syntax.`);
  }
}

function skipTagsAndLinks(reader: TokenReader): void {
  while (reader.take('tag') ?? reader.take('link'));
}

function needAmount(reader: TokenReader): Amount {
  const number = reader.expression();
  return { number, currency: reader.need('currency', 'a currency such as USD after the number').text };
}

function readOpen(reader: TokenReader): WithoutPlace<Directive> {
  const account = reader.need('account', 'the account to open').text;
  const currencies: string[] = [];
  while (reader.isNext('currency')) {
    currencies.push(reader.need('currency', 'a currency').text);
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
  const account = reader.need('account', 'the account to check').text;
  const number = reader.expression();
  const tolerance = reader.take('punctuation', '~') === null ? null : reader.expression();
  const currency = reader.need('currency', 'a currency such as USD after the number').text;
  return { kind: 'balance', account, amount: { number, currency }, tolerance };
}
