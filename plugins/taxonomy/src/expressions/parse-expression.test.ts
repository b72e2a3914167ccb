// Goal: expressions of rules are parsed exactly.
// Method: properties over random expressions, printed by a printer in this test and parsed again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Expression, ExpressionError, operandsOf, type Relation } from './expression.ts';
import { type ExpressionFeatures, parseRelation, parseRelationOrValue } from './parse-expression.ts';

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

function problemOf(text: string, features: ExpressionFeatures = {}): ExpressionError {
  try {
    parseRelation(text, features);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
  }
  throw new Error(`"${text}" was read.`);
}

describe('parseRelation', () => {
  it('parses a printed relation back to the same relation', () => {
    fc.assert(
      fc.property(relation, (each) => {
        expect(parseRelation(printRelation(each), everything)).toEqual(each);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts a double equals sign as a single one (reporting R-6)', () => {
    expect(parseRelation('$A == $B')).toEqual(parseRelation('$A=$B'));
  });

  it('keeps apart names of which one begins with the other (reporting R-6)', () => {
    const { left, right } = parseRelation('$AssetsCurrent = $Assets - $AssetsCurrentOther');
    expect(operandsOf(left, right).map((each) => each.name)).toEqual(['AssetsCurrent', 'Assets', 'AssetsCurrentOther']);
  });

  const aggregate = 'disallowed: the only aggregate is avg($Var), allowed in Derive rules only;';

  it.each([
    ['$A = $B ** 2', '"**" is disallowed', 8],
    ['$A = 2 ***', '"**" is disallowed', 7],
    ['$A = 2 * * 2', 'expected a value but found "*"', 9],
    ['$A = $B % 2', '"%" is disallowed', 8],
    ['$A = $B ^ 2', '"^" is disallowed', 8],
    ['$A = max($B, $C)', `"max" is ${aggregate}`, 5],
    ['$A = avg($B)', `"avg" is ${aggregate}`, 5],
    ['Assets = 1', `"Assets" is ${aggregate}`, 0],
    ['$A = $B[t-1]', '[t-1] is allowed only in rules of forecasts', 7],
    ['$A = $B[0]', 'an index other than [t-1] is disallowed', 7],
    ['$A = $B.c', '"." is disallowed', 7],
    ['$A = .5', '"." is disallowed', 5],
    ['$A = "x"', '""" is disallowed', 5],
    ['$ = 1', '"$" is disallowed', 0],
    ['$A != 1', '"!" is disallowed', 3],
    ['$A <> 1', 'expected a value but found ">"', 4],
    ['$A = = 1', 'expected a value but found "="', 5],
    ['$A = ,', 'expected a value but found ","', 5],
    ['$A = [t-1]', 'expected a value but found "[t-1]"', 5],
    ['$A = ', 'expected a value but found the end of the expression', 5],
    ['$A =   ', 'expected a value but found the end of the expression', 7],
    ['', 'expected a value but found the end of the expression', 0],
    ['$A  ', 'expected a comparison but found the end of the expression', 4],
    ['$A $B', 'expected a comparison but found "$B"', 3],
    ['$A = $B $C', 'expected the end but found "$C"', 8],
    ['$A = 1 = 2', 'expected the end but found "="', 7],
    ['$A = 1)', 'expected the end but found ")"', 6],
    ['$A = ($B', 'expected ")" but found the end of the expression', 8],
    ['$A = ($B, 1)', 'expected ")" but found ","', 8],
    ['$A = $B ) ?', '"?" is disallowed', 10],
  ])('rejects %s with the position and the reason (reporting R-7)', (text, message, position) => {
    const problem = problemOf(text);
    expect(problem.message).toBe(`${message} at position ${position}`);
    expect(problem.position).toBe(position);
  });

  it.each([
    ['$A = avg $B', 'expected "(" but found "$B"', 9],
    ['$A = avg(1)', 'expected a $Variable but found "1"', 9],
    ['$A = avg($B + 1)', 'expected ")" but found "+"', 12],
    ['$A = avg($B[t-1])', 'expected ")" but found "[t-1]"', 11],
    ['$A = max($B)', `"max" is ${aggregate}`, 5],
    ['$A = $B[t-1][t-1]', 'expected the end but found "[t-1]"', 12],
  ])('rejects %s where averages and previous values are allowed (reporting R-7, R-9)', (text, message, position) => {
    expect(problemOf(text, everything).message).toBe(`${message} at position ${position}`);
  });

  it('limits nesting to 64 levels and length to 4,000 characters (reporting R-7)', () => {
    const nested = (depth: number): string => `$A = ${'('.repeat(depth)}1${')'.repeat(depth)}`;
    expect(parseRelation(nested(64)).right).toEqual({ kind: 'number', text: '1' });
    expect(problemOf(nested(65)).message).toBe('nested deeper than 64 at position 69');
    expect(problemOf(`$A = ${'-'.repeat(65)}1`).message).toBe('nested deeper than 64 at position 69');
    const long = `$A = 1${'+1'.repeat(1_997)}`;
    expect(long).toHaveLength(4_000);
    expect(parseRelation(long).right).toMatchObject({ kind: 'binary', right: { text: '1' } });
    expect(problemOf(`${long} `)).toMatchObject({
      message: 'an expression has at most 4000 characters',
      position: undefined,
    });
  });
});

describe('parseRelationOrValue', () => {
  it('accepts the label of its pattern without computing it, and no other (reporting R-7)', () => {
    const labels = { labels: ['exists'] };
    const [named, plain] = [parseRelationOrValue('exists($A + $B)', labels), parseRelationOrValue('$A + $B')];
    expect(named).toEqual(plain);
    expect(plain).toMatchObject({ sign: undefined, left: { kind: 'binary' } });
    expect(() => parseRelationOrValue('$A + $B')).not.toThrow();
    expect(() => parseRelationOrValue('sum($A)', labels)).toThrow('"sum" is disallowed');
    expect(() => parseRelationOrValue('exists $A', labels)).toThrow('expected "(" but found "$A" at position 7');
  });

  it('parses a comparison where there is one (reporting R-6)', () => {
    expect(parseRelationOrValue('$A >= 0')).toEqual(parseRelation('$A >= 0'));
    expect(() => parseRelationOrValue('$A $B')).toThrow('expected a comparison but found "$B" at position 3');
    expect(() => parseRelationOrValue('')).toThrow(
      'expected a value but found the end of the expression at position 0',
    );
  });
});

/** Prints a relation with the fewest brackets that keep its meaning. */
function printRelation({ sign, left, right }: Relation): string {
  return `${print(left)} ${sign} ${print(right)}`;
}

const strength = { '+': 1, '-': 1, '*': 2, '/': 2 } as const;

function print(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return expression.text;
    case 'variable':
      return `$${expression.name}`;
    case 'average':
      return `avg($${expression.name})`;
    case 'previous':
      return `$${expression.name}[t-1]`;
    case 'negate':
      return `-${expression.operand.kind === 'binary' ? `(${print(expression.operand)})` : print(expression.operand)}`;
    case 'binary': {
      const { sign, left, right } = expression;
      const isLeftOpen = left.kind !== 'binary' || strength[left.sign] >= strength[sign];
      // Operators of equal precedence group to the left, so a calculation on the right needs brackets.
      const isRightOpen = right.kind !== 'binary' || strength[right.sign] > strength[sign];
      return `${bracketed(left, isLeftOpen)} ${sign} ${bracketed(right, isRightOpen)}`;
    }
  }
}

function bracketed(expression: Expression, isOpen: boolean): string {
  return isOpen ? print(expression) : `(${print(expression)})`;
}
