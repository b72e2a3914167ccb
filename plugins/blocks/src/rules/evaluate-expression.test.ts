// Goal: expressions of rules evaluate exactly.
// Method: random calculations are generated as text together with their value as a fraction of big integers.
import { operandsOf, parseRelation } from '@pacioli/taxonomy/expressions';
import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, evaluateExpression } from './evaluate-expression.ts';

/** A calculation as text, with its value as a fraction of big integers. */
interface Sum {
  readonly text: string;
  readonly over: bigint;
  readonly under: bigint;
}

const number = fc.tuple(fc.nat(99_999), fc.option(fc.nat(999))).map(([whole, part]): Sum => {
  const places = part === null ? '' : String(part);
  const text = part === null ? String(whole) : `${whole}.${places}`;
  return { text, over: BigInt(`${whole}${places}`), under: 10n ** BigInt(places.length) };
});

const sum = fc.letrec<{ sum: Sum }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 6, depthIdentifier: 'sum' },
    number,
    tie('sum').map(({ text, over, under }) => ({ text: `-(${text})`, over: -over, under })),
    fc
      .tuple(fc.constantFrom('+' as const, '-' as const, '*' as const), tie('sum'), tie('sum'))
      .map(([sign, left, right]) => combined(sign, left, right)),
  ),
})).sum;

function combined(sign: '+' | '-' | '*', left: Sum, right: Sum): Sum {
  const text = `(${left.text} ${sign} ${right.text})`;
  const under = left.under * right.under;
  if (sign === '*') return { text, over: left.over * right.over, under };
  const [first, second] = [left.over * right.under, right.over * left.under];
  return { text, over: sign === '+' ? first + second : first - second, under };
}

describe('evaluate-expression', () => {
  it('evaluates sums and products exactly (reporting R-8)', () => {
    fc.assert(
      fc.property(sum, ({ text, over, under }) => {
        const value = evaluateExpression(parseRelation(`0 = ${text}`).right, () => undefined);
        expect(value.times(new Big(under.toString())).eq(new Big(over.toString()))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('does not confuse a variable with another one whose name it begins with (reporting R-6)', () => {
    const { right } = parseRelation('$AssetsCurrent = $Assets - $AssetsCurrentOther');
    expect(operandsOf(right).map((each) => each.name)).toEqual(['Assets', 'AssetsCurrentOther']);
    const values: Readonly<Record<string, string>> = { AssetsCurrent: '1', Assets: '20', AssetsCurrentOther: '300' };
    expect(evaluateExpression(right, (each) => decimal(values[each.name] ?? '0')).toFixed()).toBe('-280');
  });

  it('adds two thousand numbers without exceeding the nesting limit (reporting R-7)', () => {
    const long = `$A = 1${'+1'.repeat(1_997)}`;
    expect(evaluateExpression(parseRelation(long).right, () => undefined).toFixed()).toBe('1998');
  });

  it('divides to twelve decimal places and rounds half to even (reporting R-8)', () => {
    const divide = (text: string): string =>
      evaluateExpression(parseRelation(`0 = ${text}`).right, () => undefined).toFixed();
    expect(divide('2 / 3')).toBe('0.666666666667');
    expect(divide('1 / 2000000000000')).toBe('0');
    expect(divide('3 / 2000000000000')).toBe('0.000000000002');
    expect(divide('5 / 2000000000000')).toBe('0.000000000002');
    expect(() => divide('1 / (2 - 2)')).toThrow('division by zero');
  });

  it('names a variable that has no value (reporting R-7) and rejects an unreasonably long number', () => {
    expect(() => evaluateExpression(parseRelation('0 = $Missing').right, () => undefined)).toThrow(
      'unbound $Missing in expression',
    );
    const power = `0 = ${Array.from({ length: 100 }, () => '12345.678').join(' * ')}`;
    expect(() => evaluateExpression(parseRelation(power).right, () => undefined)).toThrow('more than 400 digits');
  });
});
