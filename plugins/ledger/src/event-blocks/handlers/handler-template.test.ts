import { describe, expect, it } from 'vitest';
import { parseAmount } from './amount-expression.ts';
import { fillTemplate, readTemplate } from './handler-template.ts';
import { amountOf } from './template-values.ts';

const scope = {
  event: { amount: 12_500, metadata: { net: '900', fee: 25, low: -7, half: 12.5, nothing: null, 'a-b': { 0: 3 } } },
  handler: { priority: 4, metadata: {} },
};
const value = (text: string) => amountOf(parseAmount(text), scope);

describe('an amount expression', () => {
  it.each([
    ['{{ event.amount }}', 12_500n],
    ['12500', 12_500n],
    ['{{event.amount}} / 2', 6_250n],
    ['{{ event.amount }} / 3', 4_166n],
    ['{{ event.metadata.low }} / 2', -4n],
    ['{{ event.metadata.net }} - {{ event.metadata.fee }} * 2 + 1', 851n],
    ['({{ event.metadata.net }} - 100) * 7 / 100', 56n],
    ['max({{ event.metadata.fee }}, {{ handler.priority }}, 30)', 30n],
    ['{{ event.metadata.tip | default 0 }}', 0n],
    ['{{ event.metadata.nothing | default 5 }}', 5n],
    ['{{ event.metadata.a-b.0 }}', 3n],
  ])('evaluates %s exactly (ledger L-103, L-104, L-105)', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it('splits an amount into parts that add up to it (ledger L-105)', () => {
    for (const amount of [0, 1, 99, 100, 12_501])
      for (const parts of [1, 2, 3, 7]) {
        const shares = Array.from({ length: parts }, (_, index) => value(`split(${amount}, ${parts}, ${index + 1})`));
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(BigInt(amount));
        expect(Number(shares.at(-1)) - Math.min(...shares.map(Number))).toBeLessThanOrEqual(1);
      }
  });

  it.each([
    ['', 1],
    ['{{ event.amount', 1],
    ['{{ amount }}', 1],
    ['{{ event.constructor() }}', 1],
    ['{{ event.__proto__ }}', 1],
    ['{{ event.amout }}', 1],
    ['{{ event.amount / 3 }}', 17],
    ['1 + {{ event.metadata.fee * 2 }}', 27],
    ['about {{ event.amount }}', 1],
    ['{{ event.amount }} cents', 20],
    ['12.5', 3],
    ['{{ event.amount }} / 0', 22],
    ['{{ event.amount }} * {{ event.amount }}', 22],
    ['{{ event.amount }} 2', 20],
    ['process.exit(1)', 8],
    ['process', 1],
    ['split(10, 2, 3)', 14],
    ['max(1', 6],
    [`${'('.repeat(30)}1`, 22],
    ['99999999999999999', 1],
  ])('rejects %j and names the character where reading stopped (ledger L-110)', (text, position) => {
    expect(() => parseAmount(text)).toThrow(`at character ${position}:`);
  });

  it.each([
    ['{{ event.metadata.gone }}', "Field 'gone' not found while resolving 'event.metadata.gone'"],
    ['{{ event.metadata.nothing }}', 'is null'],
    ['{{ event.metadata.half }}', 'is 12.5'],
    ['{{ event.metadata }}', 'a whole number of minor units is required'],
    ['{{ event.metadata.__proto__ }}', "Field '__proto__' not found"],
  ])('fails to evaluate %s without a value of the right type (ledger L-104)', (text, message) => {
    expect(() => value(text)).toThrow(message);
  });
});

const leg = (elementId: string, amount: string) => ({ element_id: elementId, amount });
const template = (entry: object, more: object = {}) => ({ transactions: [{ entry_template: entry, ...more }] });
const pair = (debit: string, credit: string) =>
  template({ debit: leg('elem_a', debit), credit: leg('code:4000', credit) });
const filled = (value: unknown) => fillTemplate(readTemplate(value), scope);

describe('a handler template', () => {
  it('makes one entry of each item, and none of an item whose amounts are zero (ledger L-104)', () => {
    expect(filled(pair('{{ event.amount }}', '{{ event.amount }}'))).toEqual([
      [
        { side: 'debit', account: { by: 'id', name: 'elem_a' }, amount: 12_500n },
        { side: 'credit', account: { by: 'code', name: '4000' }, amount: 12_500n },
      ],
    ]);
    expect(filled(pair('0', '{{ event.metadata.tip | default 0 }}'))).toEqual([]);
  });

  it('accepts more than two lines, and a condition (ledger L-105)', () => {
    const entry = {
      debit: leg('role:ar', '{{ event.amount }}'),
      credit: leg('external:{{ event.metadata.net }}', '{{ event.amount }} - {{ event.metadata.fee }}'),
      lines: [{ side: 'credit', ...leg('code:2300', '{{ event.metadata.fee }}') }],
    };
    expect(filled(template(entry))[0]?.map(({ account, amount }) => [account.by, account.name, amount])).toEqual([
      ['role', 'ar', 12_500n],
      ['external', '900', 12_475n],
      ['code', '2300', 25n],
    ]);
    const count = (when: string) => filled(template(entry, { when })).length;
    expect(count('{{ event.metadata.fee }} > 20 and {{ event.metadata.kind }} == null')).toBe(1);
    expect(count("{{ event.metadata.fee }} > 25 or {{ event.metadata.net }} == '900'")).toBe(1);
    expect(count('{{ event.metadata.fee }} != 25')).toBe(0);
  });

  it('refuses unbalanced entries, negative amounts and comparisons of texts by size (ledger L-104)', () => {
    expect(() => filled(pair('{{ event.amount }}', '1'))).toThrow(
      'Template entry 0 is unbalanced: debit=12500 credit=1.',
    );
    expect(() => filled(pair('{{ event.metadata.low }}', '0'))).toThrow('debit amount -7 is below zero');
    expect(() => filled(template({ debit: leg('a', '1'), credit: leg('b', '1') }, { when: "'a' > 1" }))).toThrow(
      'numbers are required',
    );
  });

  it.each([
    [{ transactions: [] }, 'transactions: at least one item'],
    [template({ debit: leg('', '1'), credit: leg('b', '1') }), '0.entry_template.debit.element_id: the name'],
    [template({ debit: leg('a', ' '), credit: leg('b', '1') }), '0.entry_template.debit.amount: an amount'],
    [template({ debit: leg('a', '1') }), '0.entry_template.credit: an object'],
    [
      template({ debit: leg('a', '{{ x }}'), credit: leg('b', '1') }),
      "debit.amount: '{{ x }}' cannot be read at character 1",
    ],
    [template({ debit: leg('{{ event.a', '1'), credit: leg('b', '1') }), 'debit.element_id'],
    [template({ debit: leg('code:1000 }}', '1'), credit: leg('b', '1') }), 'at character 11: the braces that close'],
    [
      template({ debit: leg('elem_{{ event.id + 1 }}', '1'), credit: leg('b', '1') }),
      'at character 18: write only a path',
    ],
    [
      template({ debit: leg('a', '1'), credit: leg('b', '1'), lines: [{ side: 'up' }] }),
      'lines.0.side: debit or credit',
    ],
    [template({ debit: leg('a', '1'), credit: leg('b', '1') }, { when: '{{ event.a }} =' }), '0.when'],
    [template({ debit: leg('a', '1'), credit: leg('b', '1') }, { when: '1 == 1 and' }), '0.when'],
  ])('rejects the malformed template %j (ledger L-110)', (value, message) => {
    expect(() => readTemplate(value)).toThrow(message);
  });
});
