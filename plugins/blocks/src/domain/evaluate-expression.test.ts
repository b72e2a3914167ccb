// Goal: rules compute their expressions exactly.
// Method: properties over random expressions; a reference evaluation with fractions of big integers.
import type { Expression } from '@pacioli/taxonomy/domain';
import { operandsOf, parseRelation } from '@pacioli/taxonomy/domain';
import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, evaluateExpression } from './evaluate-expression.ts';

const number = fc.tuple(fc.nat(99_999), fc.option(fc.nat(999))).map(([whole, part]) => ({
  kind: 'number' as const,
  text: part === null ? String(whole) : `${whole}.${part}`,
}));

function expressionOf(signs: readonly ('+' | '-' | '*' | '/')[], leaf: fc.Arbitrary<Expression>) {
  return fc.letrec<{ expression: Expression }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 6, depthIdentifier: 'expression' },
      leaf,
      tie('expression').map((operand): Expression => ({ kind: 'negate', operand })),
      fc
        .tuple(fc.constantFrom(...signs), tie('expression'), tie('expression'))
        .map(([sign, left, right]): Expression => ({ kind: 'binary', sign, left, right })),
    ),
  })).expression;
}

describe('the value of an expression', () => {
  interface Fraction {
    readonly over: bigint;
    readonly under: bigint;
  }
  const fractionOf = (text: string): Fraction => {
    const [whole = '', part = ''] = text.split('.');
    return { over: BigInt(whole + part), under: 10n ** BigInt(part.length) };
  };
  const reference = (expression: Expression): Fraction => {
    if (expression.kind === 'number') return fractionOf(expression.text);
    if (expression.kind === 'negate') {
      const { over, under } = reference(expression.operand);
      return { over: -over, under };
    }
    if (expression.kind !== 'binary') throw new Error('only numbers here');
    const [a, b] = [reference(expression.left), reference(expression.right)];
    if (expression.sign === '*') return { over: a.over * b.over, under: a.under * b.under };
    const second = b.over * a.under;
    return {
      over: expression.sign === '+' ? a.over * b.under + second : a.over * b.under - second,
      under: a.under * b.under,
    };
  };

  it('is exact for sums and products (reporting R-8)', () => {
    fc.assert(
      fc.property(expressionOf(['+', '-', '*'], number), (expression) => {
        const value = evaluateExpression(expression, () => undefined);
        const { over, under } = reference(expression);
        expect(value.times(new Big(under.toString())).eq(new Big(over.toString()))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never takes a name for another that begins with it (reporting R-6, W-2)', () => {
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
