// Goal: conditions of templates are parsed exactly, and every rejection names its place and its reason.
// Method: a table of texts with their results, one of texts with their whole messages, and a property over random
// conditions, printed by a printer in this test and parsed again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Condition, holds, parseCondition } from './condition.ts';

const scope = { event: { amount: 12_500, metadata: { kind: 'fee', isPaid: true } }, handler: {} };
const comparison = 'a comparison is two values with one of == != >= <= > < between them.';
const operand = "a {{ path }}, a whole number, 'text', true, false or null is required.";
const token = "a {{ path }}, a whole number, 'text' or a comparison is expected here.";
const joint = "'and' or 'or' is expected here.";

describe('parseCondition', () => {
  it.each([
    ['1 == 1', true],
    ['1==2', false],
    ['1 != 2', true],
    ['-5 < 3', true],
    ['3>-5', true],
    ['2 >= 2', true],
    ['2 <= 1', false],
    ["'and' == 'and'", true],
    ["'' == ''", true],
    ["'1' == 1", false],
    ["'a\nb' == 'a\nb'", true],
    ['true == true', true],
    ['null == false', false],
    ['{{ event.amount }} > 12499', true],
    ["{{ event.metadata.kind }} == 'fee'", true],
    ['{{ event.metadata.isPaid }} == true', true],
    ['{{ event.metadata.gone }} == null', true],
    ["{{ event.metadata.gone | default 'x' }} == 'x'", true],
    ['9999999999999999 > 1', true],
    ['1 == 2 or 1 == 1 and 1 == 2', false],
    ['1 == 1 or 1 == 1 and 1 == 2', true],
    ['1 == 2 and 1 == 1 or 1 == 1', true],
    ['1 == 1 and 1 == 1 and 1 == 2', false],
    ["1 == 1 or 'a' > 1", true],
    ["1 == 2 and 'a' > 1", false],
    ["1 == 2 and 'a' > 1 or 1 == 1", true],
    ['\n1 ==\t1and 2 == 2 ', true],
    [`1 == 1${' and 1 == 1'.repeat(44)}          `, true],
  ])('decides %j (ledger L-105)', (text, value) => {
    expect(holds(parseCondition(text), scope)).toBe(value);
  });

  it.each([
    ['', 1, comparison],
    ['   ', 4, comparison],
    ['1', 1, comparison],
    ['  1 ', 3, comparison],
    ['1 ==', 3, comparison],
    ['1 == 1 and', 11, comparison],
    ['1 == 1 and ', 12, comparison],
    ['1 == 1 or 2 ', 11, comparison],
    ['1 2 3', 3, comparison],
    ['{{ amount }} 1', 14, comparison],
    ['1 and 2 == 3', 3, comparison],
    ['1 == 1 1', 8, joint],
    ['1 == 1 == 1', 8, joint],
    ['1 == 1 andor 1', 8, joint],
    ["1 == 1 'and' 1", 8, joint],
    ['== == ==', 1, operand],
    ['1 == ==', 6, operand],
    ['amount == 1', 1, operand],
    ['1 == and', 6, operand],
    ['(1 == 1)', 1, token],
    ['1 == 1.5', 7, token],
    ['1  = 1', 2, token],
    ['1 == 12345678901234567', 5, token],
    ["1 == 'a", 5, token],
    ['1 == TRUE', 5, token],
    ['not 1 == 1 !', 11, token],
    ['{{ amount }} == 1', 1, 'the path between the braces must start with event. or handler.'],
    ['1 == {{ event }}', 6, 'a path consists of names separated by dots, such as event.metadata.fee.'],
  ])('rejects %j with its character and reason (ledger L-105, L-110)', (text, character, reason) => {
    expect(() => parseCondition(text)).toThrow(
      new Error(`'${text}' cannot be read at character ${character}: ${reason}`),
    );
  });

  it.each([
    ['{{ amount }} == 1 and', 1, 'the path between the braces must start with event. or handler.'],
    ['{{ amount }} == 1 $', 18, token],
    ['amount == {{ amount }}', 1, operand],
  ])(
    'names the first of several faults of %j, unreadable characters before all others (ledger L-110)',
    (text, character, reason) => {
      expect(() => parseCondition(text)).toThrow(`'${text}' cannot be read at character ${character}: ${reason}`);
    },
  );

  it('accepts 500 characters and quotes the beginning of a longer text (ledger L-110)', () => {
    const long = `1 == 1${' and 1 == 1'.repeat(44)}          `;
    expect(long).toHaveLength(500);
    expect(() => parseCondition(`${long} `)).toThrow(
      `'${long.slice(0, 40)}' cannot be read at character 501: the condition is too long.`,
    );
  });

  it.each([
    ["'a' > 1", 'A condition compares "a" > 1; numbers are required.'],
    ['{{ event.metadata.gone }} < 1', 'A condition compares null < 1; numbers are required.'],
  ])('fails to decide %j by size (ledger L-104)', (text, message) => {
    expect(() => holds(parseCondition(text), scope)).toThrow(message);
  });

  it('parses a printed condition back to the same condition (ledger L-105)', () => {
    fc.assert(
      fc.property(conditions, (condition) => {
        const text = print(condition);
        fc.pre(text.length <= 500);
        expect(parseCondition(text)).toEqual(condition);
      }),
      { numRuns: 500 },
    );
  });
});

const operands = fc.oneof(
  fc
    .stringMatching(/^[\w-]{1,8}$/)
    .map((name) => ({ path: { root: 'event' as const, names: ['metadata', name], fallback: undefined } })),
  fc
    .oneof(fc.stringMatching(/^[^']{0,8}$/), fc.integer(), fc.constantFrom(true, false, null))
    .map((literal) => ({ literal })),
);

const comparisons = fc.record({
  kind: fc.constant('comparison' as const),
  left: operands,
  operator: fc.constantFrom('==' as const, '!=' as const, '>=' as const, '<=' as const, '>' as const, '<' as const),
  right: operands,
});

/** The language has no parentheses, so it can express only alternatives of comparisons that all hold. */
const conditions = fc
  .array(fc.array(comparisons, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map((groups) =>
    joined(
      'or',
      groups.map((group) => joined('and', group)),
    ),
  );

function joined(sign: 'and' | 'or', parts: readonly Condition[]): Condition {
  return parts.reduce((left, right) => ({ kind: 'binary', sign, left, right }));
}

function print(condition: Condition): string {
  return condition.kind === 'binary'
    ? `${print(condition.left)} ${condition.sign} ${print(condition.right)}`
    : `${printOperand(condition.left)} ${condition.operator} ${printOperand(condition.right)}`;
}

type Operand = Exclude<Condition, { kind: 'binary' }>['left'];

function printOperand(operand: Operand): string {
  if ('path' in operand) return `{{ ${[operand.path.root, ...operand.path.names].join('.')} }}`;
  return typeof operand.literal === 'string' ? `'${operand.literal}'` : String(operand.literal);
}
