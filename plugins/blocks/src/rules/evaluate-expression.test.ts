// Goal: rules compute their expressions exactly.
// Method: random calculations are written as text together with their value as a fraction of big integers.
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

describe('the value of an expression', () => {
  it('is exact for sums and products (reporting R-8)', () => {
    fc.assert(
      fc.property(sum, ({ text, over, under }) => {
        const value = evaluateExpression(parseRelation(`0 = ${text}`).right, () => undefined);
        expect(value.times(new Big(under.toString())).eq(new Big(over.toString()))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never takes a name for another that begins with it (reporting R-6)', () => {
    const { right } = parseRelation('$AssetsCurrent = $Assets - $AssetsCurrentOther');
    expect(operandsOf(right).map((each) => each.name)).toEqual(['Assets', 'AssetsCurrentOther']);
    const values: Readonly<Record<string, string>> = { AssetsCurrent: '1', Assets: '20', AssetsCurrentOther: '300' };
    expect(evaluateExpression(right, (each) => decimal(values[each.name] ?? '0')).toFixed()).toBe('-280');
  });

  it('adds two thousand numbers up without a problem of depth (reporting R-7)', () => {
    const long = `$A = 1${'+1'.repeat(1_997)}`;
    expect(evaluateExpression(parseRelation(long).right, () => undefined).toFixed()).toBe('1998');
  });

  it('divides to twelve places, and rounds a half to the even neighbour (reporting R-8)', () => {
    const divide = (text: string): string =>
      evaluateExpression(parseRelation(`0 = ${text}`).right, () => undefined).toFixed();
    expect(divide('2 / 3')).toBe('0.666666666667');
    expect(divide('1 / 2000000000000')).toBe('0');
    expect(divide('3 / 2000000000000')).toBe('0.000000000002');
    expect(divide('5 / 2000000000000')).toBe('0.000000000002');
    expect(() => divide('1 / (2 - 2)')).toThrow('division by zero');
  });

  it('names a variable without a value (reporting R-7), and refuses a number without measure', () => {
    expect(() => evaluateExpression(parseRelation('0 = $Missing').right, () => undefined)).toThrow(
      'unbound $Missing in expression',
    );
    const power = `0 = ${Array.from({ length: 100 }, () => '12345.678').join(' * ')}`;
    expect(() => evaluateExpression(parseRelation(power).right, () => undefined)).toThrow('more than 400 digits');
  });
});
