import { describe, expect, it } from 'vitest';
import { bookJournal } from './book.ts';
import { weightOf } from './booked.ts';
import { checkBalances } from './check-balances.ts';
import { formatDecimal, plain } from './decimal.ts';
import { readBookingOptions } from './journal-options.ts';
import { readJournal } from './load-journal.ts';
import { padJournal } from './pad.ts';

/** Books a journal and returns each posting as "account units weight", and the reasons of rejected transactions. */
function book(text: string): { readonly postings: string[]; readonly refused: string[] } {
  const journal = readJournal('t', text);
  const { booked, refused } = bookJournal(journal, readBookingOptions(journal.options));
  const postings = [...booked.values()].flatMap((transaction) =>
    transaction.postings.map((posting) => {
      const weight = weightOf(posting);
      const units = `${formatDecimal(posting.units.number)} ${posting.units.currency}`;
      return `${posting.account} ${units} = ${plain(weight.number)} ${weight.currency}`;
    }),
  );
  return { postings, refused: refused.map(({ reason, problem }) => `${reason} ${problem.line}: ${problem.message}`) };
}

const twoLots = [
  '2020-01-01 * "buy"',
  '  Assets:S  5 ABC {10.00 USD}',
  '  Assets:S  5 ABC {12.00 USD, "b"}',
  '  Assets:C  -110.00 USD',
].join('\n');

function sell(posting: string, opening = ''): ReturnType<typeof book> {
  const text = `${opening}\n${twoLots}\n2020-01-02 * "sell"\n  ${posting}\n  Income:G`;
  const { postings, refused } = book(text);
  return { postings: postings.slice(3), refused };
}

describe('missing amounts', () => {
  it('take the remainder of every currency', () => {
    const { postings } = book('2020-01-01 *\n  Assets:A  1.10 USD\n  Assets:B  2.000 EUR\n  Assets:C');
    expect(postings).toEqual([
      'Assets:A 1.10 USD = 1.1 USD',
      'Assets:C -1.10 USD = -1.1 USD',
      'Assets:B 2.000 EUR = 2 EUR',
      'Assets:C -2.000 EUR = -2 EUR',
    ]);
  });

  it('are rounded half-even to the precision of the written amounts in their currency', () => {
    const { postings } = book('2020-01-01 *\n  Assets:S  3 ABC {1.125 USD}\n  Assets:F  1.00 USD\n  Assets:C');
    expect(postings.at(-1)).toBe('Assets:C -4.38 USD = -4.38 USD');
  });

  it('stay exact where no written amount shows a precision', () => {
    const { postings } = book('2020-01-01 *\n  Assets:S  3 ABC {1.125 USD}\n  Assets:C');
    expect(postings.at(-1)).toBe('Assets:C -3.375 USD = -3.375 USD');
  });

  it('follow the default tolerance of the journal', () => {
    const option = 'option "inferred_tolerance_default" "USD:0.05"\n';
    const { postings } = book(`${option}2020-01-01 *\n  Assets:S  3 ABC {1.125 USD}\n  Assets:C`);
    expect(postings.at(-1)).toBe('Assets:C -3.4 USD = -3.4 USD');
  });

  it('are dropped when the remainder is zero', () => {
    const { postings } = book('2020-01-01 *\n  Assets:A  1 USD\n  Assets:B  -1 USD\n  Assets:C');
    expect(postings).toHaveLength(2);
  });

  it.each([
    ['two in one currency', '  Assets:A\n  Assets:B\n  Assets:C  1 USD', 'only one posting'],
    [
      'a number in addition to a whole amount',
      '  Assets:A  USD\n  Assets:B  1 USD\n  Assets:C',
      'more than one number',
    ],
    ['a currency that cannot be inferred', '  Assets:A  1\n  Assets:B  1 USD\n  Assets:C  1 EUR', 'write the currency'],
    ['a price at cost', '  Assets:A  1 ABC {1 USD} @ USD\n  Assets:C  1 USD', 'held at cost'],
  ])('are rejected when they are %s', (_, postings, message) => {
    const { refused } = book(`2020-01-01 *\n${postings}`);
    expect(refused).toEqual([expect.stringContaining(message)]);
  });
});

describe('reductions of lots', () => {
  it('use the lot that the cost or the label names', () => {
    expect(sell('Assets:S  -2 ABC {12.00 USD}').postings[0]).toBe('Assets:S -2 ABC = -24 USD');
    expect(sell('Assets:S  -2 ABC {"b"}').postings[0]).toBe('Assets:S -2 ABC = -24 USD');
    expect(sell('Assets:S  -2 ABC {10 USD}').postings[0]).toBe('Assets:S -2 ABC = -20 USD');
  });

  it('reject an ambiguous lot under STRICT, but accept a sale of all lots at once', () => {
    expect(sell('Assets:S  -2 ABC {}').refused).toEqual([expect.stringContaining('2 lots of ABC match')]);
    expect(sell('Assets:S  -10 ABC {}').postings.slice(0, 2)).toEqual([
      'Assets:S -5 ABC = -50 USD',
      'Assets:S -5 ABC = -60 USD',
    ]);
  });

  it('use the oldest lots first under FIFO and the newest under LIFO', () => {
    const buy =
      '2020-01-01 *\n  Assets:S  5 ABC {1 USD, 2019-01-01}\n  Assets:S  5 ABC {2 USD, 2019-01-02}\n  Assets:C\n';
    const sale = '2020-01-02 *\n  Assets:S  -6 ABC {}\n  Assets:C  6 USD\n  Income:G';
    const weights = (method: string): string[] =>
      book(`2019-01-01 open Assets:S "${method}"\n${buy}${sale}`).postings.slice(3, 5);
    expect(weights('FIFO')).toEqual(['Assets:S -5 ABC = -5 USD', 'Assets:S -1 ABC = -2 USD']);
    expect(weights('LIFO')).toEqual(['Assets:S -5 ABC = -10 USD', 'Assets:S -1 ABC = -1 USD']);
  });

  it('match no lot under NONE', () => {
    const { postings } = sell('Assets:S  -2 ABC {7 USD}', '2019-01-01 open Assets:S "NONE"');
    expect(postings[0]).toBe('Assets:S -2 ABC = -14 USD');
  });

  it('reject more than is held, a cost that no lot has, and averaging', () => {
    expect(sell('Assets:S  -6 ABC {"b"}').refused[0]).toContain('not enough ABC');
    expect(sell('Assets:S  -1 ABC {11 USD}').refused[0]).toContain('holds no lot of ABC');
    expect(sell('Assets:S  -1 ABC {}', '2019-01-01 open Assets:S "AVERAGE"').refused[0]).toContain('not supported');
  });

  it('leave the lots of a rejected transaction unchanged', () => {
    const sale = (day: string, units: string): string => `\n${day} *\n  Assets:S  ${units} ABC {"b"}\n  Income:G`;
    const text = twoLots + sale('2020-01-02', '-6') + sale('2020-01-03', '-5');
    expect(book(text).postings.slice(3)).toEqual(['Assets:S -5 ABC = -60 USD', 'Income:G 60.00 USD = 60 USD']);
  });
});

describe('the balance of a transaction', () => {
  it('may be off by half a unit of its last digit and no more', () => {
    const transaction = (cash: string): string =>
      `2020-01-01 *\n  Assets:S  1 ABC {1.005 USD}\n  Assets:C  ${cash} USD`;
    expect(book(transaction('-1.00')).refused).toEqual([]);
    expect(book(transaction('-1.02')).refused).toEqual([
      'unbalanced 1: the postings sum to -0.015 USD instead of zero; correct an amount.',
    ]);
  });
});

describe('pads and balance assertions', () => {
  const check = (text: string) => {
    const journal = readJournal('t', text);
    const options = readBookingOptions(journal.options);
    const { booked } = bookJournal(journal, options);
    const { padded, warnings } = padJournal(journal.directives, booked, options);
    const { checked, failures } = checkBalances(journal.directives, booked, padded, options);
    return { pads: [...padded.values()].flat(), warnings, checked, failures };
  };

  it('pad each currency once, to the first assertion after the pad', () => {
    const { pads, failures, checked } = check(
      [
        '2020-01-01 pad Assets:A Equity:O',
        '2020-01-02 *\n  Assets:A:Sub  1.00 USD\n  Income:I',
        '2020-01-03 balance Assets:A  10.00 USD',
        '2020-01-03 balance Assets:A  5 EUR',
        '2020-01-04 balance Assets:A  11.00 USD',
      ].join('\n'),
    );
    expect(
      pads.map(({ source, postings }) => [
        source.date,
        source.flag,
        postings.map((p) => formatDecimal(p.units.number)),
      ]),
    ).toEqual([
      ['2020-01-01', 'P', ['9.00', '-9.00']],
      ['2020-01-01', 'P', ['5', '-5']],
    ]);
    expect(checked).toBe(3);
    expect(failures).toEqual([
      { file: 't', line: 7, date: '2020-01-04', account: 'Assets:A', currency: 'USD', expected: '11', actual: '10' },
    ]);
  });

  it('report an unnecessary pad', () => {
    expect(check('2020-01-01 pad Assets:A Equity:O\n2020-01-03 balance Assets:A  0 USD').warnings).toHaveLength(1);
  });

  it('allow one unit of the last digit, or the tolerance that is written', () => {
    const text = (amount: string): string =>
      `2020-01-01 *\n  Assets:A  1.01 USD\n  Income:I\n2020-01-03 balance Assets:A  ${amount} USD`;
    expect(check(text('1.00')).failures).toEqual([]);
    expect(check(text('1')).failures).toHaveLength(1);
    expect(check(text('1 ~ 0.01')).failures).toEqual([]);
    expect(check(text('1 ~ 0.009')).failures).toHaveLength(1);
  });
});
