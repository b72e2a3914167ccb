// Goal: rules read their expressions exactly, and compute them exactly.
// Method: properties over random expressions; a reference evaluation with fractions of big integers.
import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, evaluateExpression } from './evaluate-expression.ts';
import { type Expression, ExpressionError, operandsOf, printRelation, type Relation } from './expression.ts';
import { parseRelation } from './parse-expression.ts';

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
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

const anyLeaf: fc.Arbitrary<Expression> = fc.oneof(
  number,
  fc
    .tuple(fc.constantFrom('variable' as const, 'average' as const, 'previous' as const), name)
    .map(([kind, each]): Expression => ({ kind, name: each })),
);
const anyExpression = expressionOf(['+', '-', '*', '/'], anyLeaf);
const relation = fc
  .tuple(
    fc.constantFrom('=' as const, '<' as const, '<=' as const, '>' as const, '>=' as const),
    anyExpression,
    anyExpression,
  )
  .map(([sign, left, right]): Relation => ({ sign, left, right }));

const everything = { hasAverage: true, hasPrevious: true };

function problemOf(text: string): ExpressionError {
  try {
    parseRelation(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
  }
  throw new Error(`"${text}" was read.`);
}

describe('the text of a rule', () => {
  it('is written so that reading it gives the same again', () => {
    fc.assert(
      fc.property(relation, (each) => {
        expect(parseRelation(printRelation(each), everything)).toEqual(each);
      }),
      { numRuns: 500 },
    );
  });

  it('takes a double equals sign for one (reporting R-6)', () => {
    expect(parseRelation('$A == $B')).toEqual(parseRelation('$A=$B'));
  });

  it('never takes a name for another that begins with it (reporting R-6, W-2)', () => {
    const { left, right } = parseRelation('$AssetsCurrent = $Assets - $AssetsCurrentOther');
    expect(operandsOf(left, right).map((each) => each.name)).toEqual(['AssetsCurrent', 'Assets', 'AssetsCurrentOther']);
    const values: Readonly<Record<string, string>> = { AssetsCurrent: '1', Assets: '20', AssetsCurrentOther: '300' };
    const value = evaluateExpression(right, (each) => decimal(values[each.name] ?? '0'));
    expect(value.toFixed()).toBe('-280');
  });

  it.each([
    ['$A = $B ** 2', '"**" is disallowed', 8],
    ['$A = $B % 2', '"%" is disallowed', 8],
    ['$A = $B ^ 2', '"^" is disallowed', 8],
    ['$A = max($B, $C)', '"max" is disallowed: the only aggregate is avg($Var), allowed in Derive rules only', 5],
    ['$A = avg($B)', 'allowed in Derive rules only', 5],
    ['$A = $B[t-1]', '[t-1] is allowed in rules of forecasts only', 7],
    ['$A = $B[0]', 'an index other than [t-1] is disallowed', 7],
    ['$A = $B.c', '"." is disallowed', 7],
    ['$A = "x"', '""" is disallowed', 5],
    ['$A = ', 'the expression ends where a value should be', 5],
    ['$A $B', '"$B" stands where a comparison should be', 3],
    ['$A = $B $C', '"$C" stands where the end should be', 8],
    ['$A = ($B', 'the expression ends where ")" should be', 8],
    ['Assets = 1', '"Assets" is disallowed', 0],
  ])('refuses %s and says where it goes wrong (reporting R-7)', (text, message, position) => {
    const problem = problemOf(text);
    expect(problem.message).toContain(message);
    expect(problem.position).toBe(position);
  });

  it('goes 64 brackets deep and no deeper, and 4,000 characters long and no longer (reporting R-7)', () => {
    const nested = (depth: number): string => `$A = ${'('.repeat(depth)}1${')'.repeat(depth)}`;
    expect(parseRelation(nested(64)).right).toEqual({ kind: 'number', text: '1' });
    expect(problemOf(nested(65)).message).toContain('nested deeper than 64');
    const long = `$A = 1${'+1'.repeat(1_997)}`;
    expect(long).toHaveLength(4_000);
    expect(evaluateExpression(parseRelation(long).right, () => undefined).toFixed()).toBe('1998');
    expect(problemOf(`${long} `).message).toContain('at most 4000 characters');
  });
});

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
