// Goal: rules about sums over time, presence, plans and structure are evaluated as reporting 3.4 specifies.
import { describe, expect, it } from 'vitest';
import { evaluate, type Facts, factsOf, ruleOf, type Situation, setOf } from '../../test/evaluated-rules.ts';
import { BoundFacts } from '../facts/bound-facts.ts';
import type { RulePatternSpec } from '../models/rule-patterns.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { builtInPatterns } from './rule-patterns.ts';

describe('SumEquals', () => {
  const rule = { pattern: 'SumEquals', expression: 'sum($A) = 12', variables: ['A'] };
  const history = factsOf({ A: ['5', '7'] });

  it('compares the sum of all movements of the element with the expected total (reporting R-14)', () => {
    expect(evaluate({ ...rule, history, metadata: { expected_total: '12' } }).status).toBe('pass');
    expect(evaluate({ ...rule, history, metadata: { expected_total: 13 } })).toMatchObject({
      status: 'fail',
      message: 'sum 12 != expected 13',
    });
  });

  it('reports an error without an expected total instead of comparing with zero (reporting R-14)', () => {
    expect(evaluate({ ...rule, history })).toMatchObject({
      status: 'error',
      message: expect.stringContaining('expected_total'),
    });
  });

  it('skips an element without movements', () => {
    const balances = factsOf({ A: '12' }, { periodType: 'instant' });
    expect(evaluate({ ...rule, history: balances, metadata: { expected_total: '12' } })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: A',
    });
  });
});

describe('Exists and CoExists', () => {
  const variables = ['A', 'B'];
  const having = (values: Facts) => [setOf(factsOf({ Other: '1', ...values }))];

  it('accept any one of the concepts for Exists (reporting 3.4)', () => {
    expect(evaluate({ pattern: 'Exists', variables, sets: having({ B: '1' }) }).status).toBe('pass');
    expect(evaluate({ pattern: 'Exists', variables, sets: having({}) })).toMatchObject({
      status: 'fail',
      message: 'required concept(s) not present: A, B',
    });
  });

  it('require facts for all of the concepts or none for CoExists (reporting 3.4)', () => {
    expect(evaluate({ pattern: 'CoExists', variables, sets: having({}) }).status).toBe('pass');
    expect(evaluate({ pattern: 'CoExists', variables, sets: having({ A: '1', B: '1' }) }).status).toBe('pass');
    expect(evaluate({ pattern: 'CoExists', variables, sets: having({ A: '1' }) })).toMatchObject({
      status: 'fail',
      message: 'only some concepts are present: A; absent: B',
    });
  });

  it('skip a structure without facts, and report an error for a variable that is declared twice (reporting R-10)', () => {
    expect(evaluate({ pattern: 'Exists', variables, sets: [] }).status).toBe('skipped');
    expect(evaluate({ pattern: 'CoExists', variables, sets: [] }).status).toBe('skipped');
    expect(evaluate({ pattern: 'Exists', variables: ['A', 'A'], sets: having({}) }).status).toBe('error');
    expect(evaluate({ pattern: 'CoExists', variables: ['A', 'A'], sets: having({}) }).status).toBe('error');
  });
});

describe('comparisons', () => {
  const given = (pattern: string, expression: string, values: Facts): Situation => ({
    pattern,
    expression,
    variables: ['A', 'B'],
    sets: [setOf(factsOf(values))],
  });

  it.each([
    ['GreaterThan', '$A > $B', { A: '2', B: '1.999999' }, 'pass'],
    ['GreaterThan', '$A > $B', { A: '2', B: '2' }, 'fail'],
    ['GreaterThan', '$A > $B', { A: '2' }, 'skipped'],
    ['GreaterThan', '$A > $B / 0', { A: '2', B: '2' }, 'error'],
    ['LessThan', '$A < $B', { A: '1', B: '1.000001' }, 'pass'],
    ['LessThan', '$A < $B', { A: '2', B: '2' }, 'fail'],
    ['LessThan', '$A < $B', { A: '2' }, 'skipped'],
    ['LessThan', '$A = $B', { A: '2', B: '3' }, 'error'],
    ['Adjustment', '$A + $B = $A + $B', { A: '2', B: '3' }, 'pass'],
    ['Adjustment', '$A = $B', { A: '2', B: '3' }, 'fail'],
    ['Adjustment', '$A = $B', { A: '2' }, 'skipped'],
    ['Adjustment', '$A', { A: '2', B: '3' }, 'error'],
  ])('evaluates %s on %s with %o: %s', (pattern, expression, values, status) => {
    expect(evaluate(given(pattern, expression, values)).status).toBe(status);
  });

  it('allow a value below zero by no more than the tolerance (reporting R-16)', () => {
    const rule = { pattern: 'GreaterThanOrEqualToZero', expression: '$A >= 0', variables: ['A'] };
    expect(evaluate({ ...rule, sets: [setOf(factsOf({ A: '-0.01' }))] }).status).toBe('pass');
    expect(evaluate({ ...rule, sets: [setOf(factsOf({ A: '-0.010001' }))] })).toMatchObject({
      status: 'fail',
      message: 'below zero: A = -0.010001',
    });
    expect(evaluate({ ...rule, sets: [setOf(factsOf({ Other: '1' }))] }).status).toBe('skipped');
    const twice = { ...rule, variables: ['A', 'A'] };
    expect(evaluate({ ...twice, sets: [setOf(factsOf({ A: '1' }))] }).status).toBe('error');
  });
});

describe('Variance', () => {
  const rule = {
    pattern: 'Variance',
    expression: '$Variance = $Actual - $Budget',
    variables: ['Variance', 'Actual', { name: 'Budget', elementId: 'Actual', scenarioId: 'struct_plan' }],
  };
  const facts = factsOf({ Variance: '-2', Actual: '10' });

  it('reads the budget from the scenario that the rule names', () => {
    const plan = (value: string) => new Map([['struct_plan', new BoundFacts(factsOf({ Actual: value }))]]);
    expect(evaluate({ ...rule, sets: [setOf(facts, { scenarios: plan('12') })] }).status).toBe('pass');
    expect(evaluate({ ...rule, sets: [setOf(facts, { scenarios: plan('13') })] }).status).toBe('fail');
  });

  it('skips a rule whose scenario does not exist', () => {
    expect(evaluate({ ...rule, sets: [setOf(facts)] })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: Budget',
    });
  });

  it('reports an error for an expression that cannot be parsed', () => {
    expect(evaluate({ ...rule, expression: '$Variance = $Actual -', sets: [setOf(facts)] }).status).toBe('error');
  });
});

describe('rules without arithmetic', () => {
  const empty = { sets: [], patterns: new Map(Object.entries(builtInPatterns)), elementIdByQname: new Map() };
  const nothing = { ...empty, children: () => [], history: () => [] };

  it('are skipped when they check the structure and left out when they derive a value (reporting R-3, 3.4)', () => {
    const structural = { ...ruleOf({ pattern: 'EqualTo' }), pattern: null, checkKind: 'NoCycles' };
    expect(evaluateRules({ ...nothing, rules: [structural] })).toMatchObject([
      { status: 'skipped', message: 'structural check; evaluated at taxonomy write' },
    ]);
    expect(evaluateRules({ ...nothing, rules: [ruleOf({ pattern: 'Derive' })] })).toEqual([]);
  });

  it('report an error for an unknown pattern and do not stop other rules (reporting R-20)', () => {
    const rules = [ruleOf({ pattern: 'Guess' }), ruleOf({ pattern: 'Exists', variables: ['A'] })];
    expect(evaluateRules({ ...nothing, rules }).map(({ status }) => status)).toEqual(['error', 'skipped']);
  });

  it('can use a pattern that a plugin contributes (reporting 3.4)', () => {
    const isRound: RulePatternSpec = {
      evaluatedPer: 'column',
      relations: [],
      decide: (subject) => {
        const [variable] = subject.variables.values();
        const value = variable === undefined ? undefined : subject.value(variable);
        const isWhole = value?.mod(1).eq(0) === true;
        return isWhole ? { status: 'pass', message: null } : { status: 'fail', message: 'not round' };
      },
    };
    const patterns = new Map([['IsRound', isRound]]);
    const rule = { pattern: 'IsRound', variables: ['A'], patterns };
    expect(evaluate({ ...rule, sets: [setOf(factsOf({ A: '3' }))] }).status).toBe('pass');
    expect(evaluate({ ...rule, sets: [setOf(factsOf({ A: '3.5' }))] })).toMatchObject({
      status: 'fail',
      message: 'not round',
    });
  });
});
