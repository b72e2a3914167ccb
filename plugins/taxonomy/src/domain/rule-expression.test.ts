import { describe, expect, it } from 'vitest';
import { parseRuleExpression } from './rule-expression.ts';

const plain = { functions: new Set<string>() };
const withAverage = { functions: new Set(['avg']) };

describe('an expression of a rule', () => {
  it.each([
    ['$Assets = ($Current + $Noncurrent)', ['Assets', 'Current', 'Noncurrent'], 'Assets'],
    ['$A == 2 * -$B / (1.5 - $C)', ['A', 'B', 'C'], 'A'],
    ['($A) = $B', ['A', 'B'], undefined],
    ['$A + $B >= 0', ['A', 'B'], undefined],
    ['$AssetsCurrent = $Assets[t-1]', ['AssetsCurrent', 'Assets'], 'AssetsCurrent'],
  ])('is read: %s', (text, variables, leftVariable) => {
    expect(parseRuleExpression(text, plain)).toMatchObject({ variables, leftVariable });
  });

  it('may call what its pattern allows and nothing else (reporting R-7)', () => {
    expect(parseRuleExpression('$A = $B / avg($C)', withAverage)).toMatchObject({ variables: ['A', 'B', 'C'] });
    expect(parseRuleExpression('$A = avg($C)', plain)).toContain('disallowed');
    expect(parseRuleExpression('$A = process($C)', withAverage)).toContain('"process"');
  });

  it.each([
    ['$A =', 'ends where a value should follow'],
    ['= $A', 'has "="'],
    ['$A = ($B', 'lacks a ")"'],
    ['$A = $B $C', 'ends too late'],
    ['$A ** $B', 'has "*"'],
    ['$A = "text"', 'no arithmetic'],
    ['$A = $B % 2', 'no arithmetic'],
    ['', 'ends where a value should follow'],
    [`$A = ${'('.repeat(70)}1${')'.repeat(70)}`, 'nested deeper'],
    [`$A = ${'1 + '.repeat(1_001)}1`, 'longer than'],
  ])('is refused with a reason: %s', (text, reason) => {
    expect(parseRuleExpression(text, plain)).toContain(reason);
  });
});
