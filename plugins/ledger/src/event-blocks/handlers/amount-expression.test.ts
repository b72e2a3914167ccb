// Goal: amounts of templates are parsed exactly, and every rejection names its place and its reason.
// Method: a table of texts with their values, one of texts with their whole messages, and a property over random
// amounts, printed by a printer in this test and parsed again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amount, parseAmount } from './amount-expression.ts';
import { amountOf } from './template-values.ts';

const scope = { event: { amount: 12_500, metadata: { fee: 25 } }, handler: { priority: 4 } };
const operand = 'a {{ path }}, a whole number, max(…) or split(…) is expected here.';
const token = 'a {{ path }}, a whole number, + - * / or a function is expected here.';
const largest = 'a number is at most 9007199254740991 minor units, the largest amount that is stored exactly.';
const tooDeep = 'parentheses and functions can be nested at most 20 levels deep.';
const nested = (open: string, levels: number, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

describe('parseAmount', () => {
  it.each([
    ['1 + 2 * 3', 7n],
    ['(1 + 2) * 3', 9n],
    ['8 - 3 - 2', 3n],
    ['8 - (3 - 2)', 7n],
    ['7 / 2 * 2', 6n],
    ['7 * 2 / 2', 7n],
    ['1-2', -1n],
    ['\n 1\t+ 2 ', 3n],
    ['max(7)', 7n],
    ['max(1, 2 + 3, (4)) - split(10, 3, 3)', 1n],
    ['split(max(10, 2), 3, 1) * 2', 6n],
    ['{{event.amount}}/4', 3_125n],
    ["{{ event.metadata.tip | default '12' }} + {{ handler.priority }}", 16n],
    ['9007199254740991', 9_007_199_254_740_991n],
    ['split(1, 1000, 1000)', 1n],
    [nested('(', 20, ')'), 1n],
    [nested('max(', 20, ')'), 1n],
    [`1${' + 1'.repeat(124)}   `, 125n],
  ])('computes %j exactly (ledger L-103, L-105)', (text, value) => {
    expect(amountOf(parseAmount(text), scope)).toBe(value);
  });

  it.each([
    ['', 1, operand],
    ['   ', 1, operand],
    ['1 +  ', 4, operand],
    ['-5', 1, operand],
    ['1 + + 2', 5, operand],
    ['(', 2, operand],
    ['()', 2, operand],
    ['max()', 5, operand],
    ['max(1,)', 7, operand],
    ['min(1)', 1, operand],
    ['1 + and', 5, operand],
    ['12.5', 3, token],
    ['1  .', 2, token],
    ['MAX(1, 2)', 1, token],
    ['1 ^ 2', 2, token],
    ['{{ event.amount', 1, token],
    ['{{ event.\namount }}', 1, token],
    ['1 2', 3, "'2' is not expected here."],
    ['1 )', 3, "')' is not expected here."],
    ['1 max', 3, "'max' is not expected here."],
    ['{{ event.amount }} {{ event.amount }}', 20, "'{{ event.amount }}' is not expected here."],
    ['max 1', 5, "'(' is expected here, not 1."],
    ['max', 4, "'(' is expected here, not the end."],
    ['max(1', 6, "')' is expected here, not the end."],
    ['max(1 2)', 7, "')' is expected here, not 2."],
    ['(1 ', 3, "')' is expected here, not the end."],
    ['(1, 2)', 3, "')' is expected here, not ,."],
    ['split(10, 2)', 12, "',' is expected here, not )."],
    ['split(10)', 9, "',' is expected here, not )."],
    ['split(10, 2, 1, 1)', 15, "')' is expected here, not ,."],
    ['2 * 0', 5, 'a factor must be a positive whole number.'],
    ['2 * (3)', 5, 'a factor must be a positive whole number.'],
    ['2 * ', 4, 'a factor must be a positive whole number.'],
    ['2 / {{ event.amount }}', 5, 'a divisor must be a positive whole number.'],
    ['2 / -1', 5, 'a divisor must be a positive whole number.'],
    ['split(10, max, 1)', 11, 'the number of parts must be a positive whole number.'],
    ['split(10, 0, 1)', 11, 'the number of parts must be a positive whole number.'],
    ['split(10, 2, 0)', 14, 'the number of the part, from 1, must be a positive whole number.'],
    ['split(10, 1001, 1)', 11, 'an amount can be split into at most 1000 parts.'],
    ['split(10, 2, 3)', 14, 'there are only 2 parts, counted from 1.'],
    ['9007199254740992', 1, largest],
    ['1 / 9007199254740992', 5, largest],
    ['split(1, 9007199254740992, 1)', 10, largest],
    [nested('(', 21, ')'), 22, tooDeep],
    [nested('( ', 21, ' )'), 43, tooDeep],
    [nested('max(', 21, ')'), 85, tooDeep],
    [nested('split(', 21, ', 1, 1)'), 127, tooDeep],
    ['{{ amount }}', 1, 'the path between the braces must start with event. or handler.'],
    ['1 + {{ event.a b }}', 5, 'a path consists of names separated by dots, such as event.metadata.fee.'],
    [
      '1 + {{ event.amount + 2 }}',
      21,
      'write only a path between the braces and calculate after them, as in {{ event.amount }} / 2.',
    ],
    ['{{ event.amount | default x }}', 1, "default must be followed by a whole number or 'text'."],
    ['{{ event.amount | default 9007199254740992 }}', 27, largest],
    [
      '{{ handler.amount }}',
      1,
      "'amount' is not a field of handler. Fields are id, name, event_type, origin, priority, metadata.",
    ],
  ])('rejects %j with its character and reason (ledger L-103, L-110)', (text, character, reason) => {
    expect(() => parseAmount(text)).toThrow(new Error(`'${text}' cannot be read at character ${character}: ${reason}`));
  });

  it.each([
    ['{{ amount }} )', 1, 'the path between the braces must start with event. or handler.'],
    ['{{ amount }} $', 13, token],
    ['2 * 0 )', 5, 'a factor must be a positive whole number.'],
  ])(
    'names the first of several faults of %j, unreadable characters before all others (ledger L-110)',
    (text, character, reason) => {
      expect(() => parseAmount(text)).toThrow(`'${text}' cannot be read at character ${character}: ${reason}`);
    },
  );

  it('accepts 500 characters and quotes the beginning of a longer text (ledger L-110)', () => {
    const long = `1${' + 1'.repeat(124)}   `;
    expect(long).toHaveLength(500);
    expect(() => parseAmount(`${long} `)).toThrow(
      `'${long.slice(0, 40)}' cannot be read at character 501: an expression has at most 500 characters.`,
    );
  });

  it('parses a printed amount back to the same amount (ledger L-103, L-105)', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const text = print(amount);
        fc.pre(text.length <= 500);
        expect(parseAmount(text)).toEqual(amount);
      }),
      { numRuns: 500 },
    );
  });
});

const number = fc.nat().map((value) => ({ kind: 'number' as const, value: BigInt(value) }));
const factor = fc.integer({ min: 1, max: 1_000 }).map((value) => ({ kind: 'number' as const, value: BigInt(value) }));
const path = fc
  .tuple(fc.constantFrom('event' as const, 'handler' as const), fc.stringMatching(/^[\w-]{1,8}$/))
  .map(([root, name]) => ({ kind: 'path' as const, path: { root, names: ['metadata', name], fallback: undefined } }));

const amounts = fc.letrec<{ amount: Amount }>((tie) => ({
  amount: fc.oneof(
    { maxDepth: 6, depthIdentifier: 'amount' },
    number,
    path,
    fc
      .tuple(fc.constantFrom('+' as const, '-' as const), tie('amount'), tie('amount'))
      .map(([sign, left, right]): Amount => ({ kind: 'binary', sign, left, right })),
    fc
      .tuple(fc.constantFrom('*' as const, '/' as const), tie('amount'), factor)
      .map(([sign, left, right]): Amount => ({ kind: 'binary', sign, left, right })),
    fc.array(tie('amount'), { minLength: 1, maxLength: 3 }).map((operands): Amount => ({ kind: 'max', operands })),
    fc
      .tuple(tie('amount'), fc.integer({ min: 1, max: 1_000 }), fc.nat(999))
      .map(([of, parts, index]): Amount => ({ kind: 'split', of, parts, index: (index % parts) + 1 })),
  ),
})).amount;

/** Prints an amount with the fewest parentheses that keep its meaning. */
function print(amount: Amount): string {
  switch (amount.kind) {
    case 'number':
      return String(amount.value);
    case 'path':
      return `{{ ${[amount.path.root, ...amount.path.names].join('.')} }}`;
    case 'max':
      return `max(${amount.operands.map(print).join(', ')})`;
    case 'split':
      return `split(${print(amount.of)}, ${amount.parts}, ${amount.index})`;
    case 'binary': {
      const isSum = amount.sign === '+' || amount.sign === '-';
      const left = !isSum && isSumOf(amount.left) ? `(${print(amount.left)})` : print(amount.left);
      return `${left} ${amount.sign} ${isSumOf(amount.right) ? `(${print(amount.right)})` : print(amount.right)}`;
    }
  }
}

function isSumOf(amount: Amount): boolean {
  return amount.kind === 'binary' && (amount.sign === '+' || amount.sign === '-');
}
