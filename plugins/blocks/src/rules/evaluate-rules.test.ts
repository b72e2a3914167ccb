// Goal: rules that compare numbers pass, fail, skip and report errors as specified (reporting 3.4).
import { describe, expect, it } from 'vitest';
import { evaluate, type Facts, factsOf, setOf, sides } from '../../test/evaluated-rules.ts';
import { BoundFacts } from '../facts/bound-facts.ts';
import type { BoundFact } from '../models/rules.ts';

describe('EqualTo', () => {
  it('passes at a difference of exactly 0.01 and fails at 0.010001 (reporting R-16)', () => {
    expect(evaluate({ pattern: 'EqualTo', ...sides({ A: '10.01', B: '4', C: '6' }) })).toMatchObject({
      status: 'pass',
      message: null,
    });
    expect(evaluate({ pattern: 'EqualTo', ...sides({ A: '10.010001', B: '4', C: '6' }) })).toMatchObject({
      status: 'fail',
      message: 'equality failed; residual = 0.010001',
    });
  });

  it('skips a rule and lists its variables without a fact (reporting R-19)', () => {
    expect(evaluate({ pattern: 'EqualTo', ...sides({ A: '10' }) })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: B, C',
    });
    expect(evaluate({ pattern: 'EqualTo', ...sides({}) })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: A',
    });
  });

  it.each([
    ['$A = $B / 0', ['A', 'B'], 'engine failure: division by zero'],
    ['$A = $Nobody', ['A'], 'engine failure: unbound $Nobody in expression'],
    ['$A =', ['A'], 'engine failure: expected a value but found the end of the expression at position 4'],
    ['$A > $B', ['A', 'B'], 'engine failure: an expression of the pattern EqualTo compares with "="'],
    ['$A = $B', ['A', 'B', 'B'], 'engine failure: the variable $B is declared twice'],
  ])('reports an error for %s with its reason (reporting R-10, R-20)', (expression, variables, message) => {
    const sets = [setOf(factsOf({ A: '1', B: '1' }))];
    expect(evaluate({ pattern: 'EqualTo', expression, variables, sets })).toMatchObject({ status: 'error', message });
  });

  it('evaluates each period with its own facts, lists all outcomes and reports the worst (reporting R-12)', () => {
    const outcome = evaluate({ pattern: 'EqualTo', ...sides({ A: ['10', '11'], B: ['4', '4'], C: ['6', '6'] }) });
    expect(outcome).toMatchObject({ status: 'fail', message: 'equality failed; residual = 1' });
    expect(outcome.periods.map(({ end, status }) => [end, status])).toEqual([
      ['2026-03-31', 'pass'],
      ['2026-04-30', 'fail'],
    ]);
  });

  it('leaves out periods in which its left side has no fact (reporting R-12)', () => {
    const outcome = evaluate({ pattern: 'EqualTo', ...sides({ A: [null, '10'], B: ['1', '4'], C: ['1', '6'] }) });
    expect(outcome.status).toBe('pass');
    expect(outcome.periods).toHaveLength(1);
  });

  it('matches a balance by its end date, whatever the start of its column (reporting R-12, F-3)', () => {
    const balance = { periodType: 'instant' as const };
    const facts = [...factsOf({ A: '10' }, balance), ...factsOf({ B: '4', C: '6' }, { ...balance, periodStart: null })];
    expect(evaluate({ pattern: 'EqualTo', ...sides({}), sets: [setOf(facts)] }).status).toBe('pass');
  });

  it('widens the tolerance to the rounding of its facts (reporting R-16)', () => {
    const thousands = (values: Facts) => [setOf(factsOf(values, { decimals: '-3' }))];
    const rule = { pattern: 'EqualTo', expression: '$A = $B + $C', variables: ['A', 'B', 'C'] };
    expect(evaluate({ ...rule, sets: thousands({ A: '10000', B: '4000', C: '4500' }) }).status).toBe('pass');
    expect(evaluate({ ...rule, sets: thousands({ A: '10000', B: '4000', C: '4499' }) }).status).toBe('fail');
    const strict = { ...rule, metadata: { tolerance: '0.5' } };
    expect(evaluate({ ...strict, sets: thousands({ A: '10000', B: '4000', C: '5999' }) }).status).toBe('fail');
  });

  it('finds an element by its qname and a sibling structure of the report by its block type (reporting R-10, R-17)', () => {
    const cashFlow = new BoundFacts(factsOf({ Cash: '7' }));
    const sets = [setOf(factsOf({ Cash: '7' }), { siblings: new Map([['cash_flow_statement', cashFlow]]) })];
    const other = { name: 'There', elementId: 'Cash', structureType: 'cash_flow_statement' };
    const here = { name: 'Here', elementId: null, qname: 'x:Cash' };
    const rule = { pattern: 'EqualTo', expression: '$Here = $There', variables: [here, other] };
    expect(evaluate({ ...rule, sets }).status).toBe('pass');
    expect(evaluate({ ...rule, sets: [setOf(factsOf({ Cash: '7' }))] }).status).toBe('skipped');
  });
});

describe('RollForward', () => {
  const rule = {
    pattern: 'RollForward',
    expression: '$End = $Begin + $Change',
    variables: [
      { name: 'End', elementId: 'Cash' },
      { name: 'Begin', elementId: 'Cash', at: 'begin' as const },
      'Change',
    ],
  };
  const balance = (date: string, value: string): BoundFact => ({
    elementId: 'Cash',
    periodStart: null,
    periodEnd: date,
    periodType: 'instant',
    value,
    decimals: '2',
  });
  const facts = [...factsOf({ Change: '3' }), balance('2026-04-30', '10')];

  it('opens with the balance of the day before, from the same set or an earlier one (reporting R-15)', () => {
    expect(evaluate({ ...rule, sets: [setOf([...facts, balance('2026-03-31', '7')])] }).status).toBe('pass');
    const earlier = [new BoundFacts([balance('2026-03-31', '6')])];
    expect(evaluate({ ...rule, sets: [setOf(facts, { earlier })] })).toMatchObject({ status: 'fail', residual: '1' });
  });

  it('skips a rule without an opening balance', () => {
    expect(evaluate({ ...rule, sets: [setOf(facts)] })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: Begin',
    });
  });
});

describe('RollUp', () => {
  const rule = { pattern: 'RollUp', expression: '$Total = ($A + $B)', variables: ['Total', 'A', 'B'] };
  const children = {
    Total: [
      { elementId: 'A', weight: '1' },
      { elementId: 'Less', weight: '-1' },
    ],
  };

  it('sums the children in the current arcs and counts a missing child as zero (reporting R-12 table)', () => {
    const sets = [setOf(factsOf({ Total: '6', A: '10', Less: '4', B: '99' }))];
    expect(evaluate({ ...rule, children, sets }).status).toBe('pass');
    expect(evaluate({ ...rule, children, sets: [setOf(factsOf({ Total: '10', A: '10' }))] }).status).toBe('pass');
    expect(evaluate({ ...rule, children, sets: [setOf(factsOf({ Total: '9', A: '10' }))] })).toMatchObject({
      status: 'fail',
      message: 'rollup failed; residual = -1',
    });
  });

  it('counts the amount that accounts have on the total directly (reporting S-32)', () => {
    const total = (directAmount: string) => [
      setOf([...factsOf({ Total: '13' }, { directAmount }), ...factsOf({ A: '10' })]),
    ];
    expect(evaluate({ ...rule, children, sets: total('3') }).status).toBe('pass');
    expect(evaluate({ ...rule, children, sets: total('2') })).toMatchObject({
      status: 'fail',
      message: 'rollup failed; residual = 1',
    });
  });

  it('falls back on the summands of the expression when the total has no arcs', () => {
    expect(evaluate({ ...rule, sets: [setOf(factsOf({ Total: '6', A: '4', B: '2' }))] }).status).toBe('pass');
    expect(evaluate({ ...rule, sets: [setOf(factsOf({ Total: '6', A: '4' }))] }).status).toBe('fail');
  });

  it('skips a rule whose total or whose summands are all missing', () => {
    expect(evaluate({ ...rule, children, sets: [setOf(factsOf({ A: '4' }))] })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: Total',
    });
    expect(evaluate({ ...rule, children, sets: [setOf(factsOf({ Total: '4' }))] })).toMatchObject({
      status: 'skipped',
      message: 'no summand has a fact',
    });
  });

  it('reports an error for an expression with only one side', () => {
    const sets = [setOf(factsOf({ Total: '6' }))];
    expect(evaluate({ ...rule, expression: '$Total', sets }).status).toBe('error');
  });
});
