// Goal: every pattern of reporting 3.4 passes, fails, skips and breaks where it should.
import { describe, expect, it } from 'vitest';
import type { RulePatternSpec, WeightedChild } from '../models/rule-patterns.ts';
import type { BoundFact, Rule, RuleMetadata, RuleVariable } from '../models/rules.ts';
import { BoundFacts } from './bound-facts.ts';
import { type JudgedSet, judgeRules, type Verdict } from './judge-rules.ts';
import { builtInPatterns } from './rule-patterns.ts';

const march = { start: '2026-03-01', end: '2026-03-31' };
const april = { start: '2026-04-01', end: '2026-04-30' };

interface Facts {
  /** Values by element in March, April or both. */
  readonly [elementId: string]: string | readonly [march: string | null, april: string | null];
}

function factsOf(values: Facts, more: Partial<BoundFact> = {}): readonly BoundFact[] {
  return Object.entries(values).flatMap(([elementId, value]) => {
    const [inMarch, inApril] = typeof value === 'string' ? [null, value] : value;
    return [
      { period: march, value: inMarch },
      { period: april, value: inApril },
    ].flatMap(({ period, value: each }) =>
      each === null
        ? []
        : [
            {
              elementId,
              periodStart: period.start,
              periodEnd: period.end,
              periodType: 'duration' as const,
              value: each,
              decimals: '2',
              ...more,
            },
          ],
    );
  });
}

function setOf(facts: readonly BoundFact[], more: Partial<JudgedSet> = {}): JudgedSet {
  const bound = new BoundFacts(facts);
  return { facts: bound, columns: bound.columns(), earlier: [], siblings: new Map(), scenarios: new Map(), ...more };
}

interface Situation {
  readonly pattern: string;
  readonly expression?: string;
  readonly variables?: readonly (string | (Partial<RuleVariable> & { readonly name: string }))[];
  readonly metadata?: RuleMetadata;
  readonly sets?: readonly JudgedSet[];
  readonly children?: Readonly<Record<string, readonly WeightedChild[]>>;
  readonly history?: readonly BoundFact[];
  readonly patterns?: ReadonlyMap<string, RulePatternSpec>;
}

/** A variable is bound to the element of its name unless told otherwise. */
function ruleOf({ pattern, expression = '', variables = [], metadata = {} }: Situation): Rule {
  return {
    id: 'rule_1',
    structureId: null,
    name: 'a rule',
    category: 'ToDoManualTask',
    pattern,
    checkKind: null,
    expression,
    variables: variables.map((each) => {
      const given = typeof each === 'string' ? { name: each } : each;
      return { elementId: given.name, qname: null, ...given };
    }),
    message: null,
    severity: 'error',
    origin: 'native',
    target: null,
    metadata,
  };
}

function judge(situation: Situation): Verdict {
  const history = new BoundFacts(situation.history ?? []);
  const [verdict] = judgeRules({
    rules: [ruleOf(situation)],
    sets: situation.sets ?? [],
    patterns: situation.patterns ?? new Map(Object.entries(builtInPatterns)),
    elementIdByQname: new Map([['x:Cash', 'Cash']]),
    children: (id) => situation.children?.[id] ?? [],
    history: (id) => history.all(id),
  });
  if (verdict === undefined) throw new Error('The rule was not judged.');
  return verdict;
}

const sides = (values: Facts) => ({
  expression: '$A = $B + $C',
  variables: ['A', 'B', 'C'],
  sets: [setOf(factsOf(values))],
});

describe('EqualTo', () => {
  it('passes at a difference of exactly 0.01 and fails at 0.010001 (reporting R-16)', () => {
    expect(judge({ pattern: 'EqualTo', ...sides({ A: '10.01', B: '4', C: '6' }) })).toMatchObject({
      status: 'pass',
      message: null,
    });
    expect(judge({ pattern: 'EqualTo', ...sides({ A: '10.010001', B: '4', C: '6' }) })).toMatchObject({
      status: 'fail',
      message: 'equality failed; residual = 0.010001',
    });
  });

  it('skips and lists what has no fact (reporting R-19)', () => {
    expect(judge({ pattern: 'EqualTo', ...sides({ A: '10' }) })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: B, C',
    });
    expect(judge({ pattern: 'EqualTo', ...sides({}) })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: A',
    });
  });

  it.each([
    ['$A = $B / 0', ['A', 'B'], 'engine failure: division by zero'],
    ['$A = $Nobody', ['A'], 'engine failure: unbound $Nobody in expression'],
    ['$A =', ['A'], 'engine failure: the expression ends where a value should be at position 4'],
    ['$A > $B', ['A', 'B'], 'engine failure: an expression of the pattern EqualTo compares with "="'],
    ['$A = $B', ['A', 'B', 'B'], 'engine failure: the variable $B is declared twice'],
  ])('breaks on %s and says why (reporting R-10, R-20)', (expression, variables, message) => {
    const sets = [setOf(factsOf({ A: '1', B: '1' }))];
    expect(judge({ pattern: 'EqualTo', expression, variables, sets })).toMatchObject({ status: 'error', message });
  });

  it('judges each period by its own facts; the worst outcome stands, all are listed (reporting R-12, W-3)', () => {
    const verdict = judge({ pattern: 'EqualTo', ...sides({ A: ['10', '11'], B: ['4', '4'], C: ['6', '6'] }) });
    expect(verdict).toMatchObject({ status: 'fail', message: 'equality failed; residual = 1' });
    expect(verdict.periods.map(({ end, status }) => [end, status])).toEqual([
      ['2026-03-31', 'pass'],
      ['2026-04-30', 'fail'],
    ]);
  });

  it('leaves out periods where its left side is absent (reporting R-12)', () => {
    const verdict = judge({ pattern: 'EqualTo', ...sides({ A: [null, '10'], B: ['1', '4'], C: ['1', '6'] }) });
    expect(verdict.status).toBe('pass');
    expect(verdict.periods).toHaveLength(1);
  });

  it('binds a balance by its end, whatever the start of its column (reporting R-12, F-3)', () => {
    const balance = { periodType: 'instant' as const };
    const facts = [...factsOf({ A: '10' }, balance), ...factsOf({ B: '4', C: '6' }, { ...balance, periodStart: null })];
    expect(judge({ pattern: 'EqualTo', ...sides({}), sets: [setOf(facts)] }).status).toBe('pass');
  });

  it('allows for rounding as coarse as its facts (reporting R-16)', () => {
    const thousands = (values: Facts) => [setOf(factsOf(values, { decimals: '-3' }))];
    const rule = { pattern: 'EqualTo', expression: '$A = $B + $C', variables: ['A', 'B', 'C'] };
    expect(judge({ ...rule, sets: thousands({ A: '10000', B: '4000', C: '4500' }) }).status).toBe('pass');
    expect(judge({ ...rule, sets: thousands({ A: '10000', B: '4000', C: '4499' }) }).status).toBe('fail');
    const strict = { ...rule, metadata: { tolerance: '0.5' } };
    expect(judge({ ...strict, sets: thousands({ A: '10000', B: '4000', C: '5999' }) }).status).toBe('fail');
  });

  it('finds an element by its qname, and another structure of the report by its type (reporting R-10, R-17)', () => {
    const cashFlow = new BoundFacts(factsOf({ Cash: '7' }));
    const sets = [setOf(factsOf({ Cash: '7' }), { siblings: new Map([['cash_flow_statement', cashFlow]]) })];
    const other = { name: 'There', elementId: 'Cash', structureType: 'cash_flow_statement' };
    const here = { name: 'Here', elementId: null, qname: 'x:Cash' };
    const rule = { pattern: 'EqualTo', expression: '$Here = $There', variables: [here, other] };
    expect(judge({ ...rule, sets }).status).toBe('pass');
    expect(judge({ ...rule, sets: [setOf(factsOf({ Cash: '7' }))] }).status).toBe('skipped');
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

  it('opens with the balance of the day before, in the set or in an earlier one (reporting R-15)', () => {
    expect(judge({ ...rule, sets: [setOf([...facts, balance('2026-03-31', '7')])] }).status).toBe('pass');
    const earlier = [new BoundFacts([balance('2026-03-31', '6')])];
    expect(judge({ ...rule, sets: [setOf(facts, { earlier })] })).toMatchObject({ status: 'fail', residual: '1' });
  });

  it('skips without an opening balance', () => {
    expect(judge({ ...rule, sets: [setOf(facts)] })).toMatchObject({
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

  it('sums what the arcs say today, with an absent child as nothing (reporting R-12 table)', () => {
    const sets = [setOf(factsOf({ Total: '6', A: '10', Less: '4', B: '99' }))];
    expect(judge({ ...rule, children, sets }).status).toBe('pass');
    expect(judge({ ...rule, children, sets: [setOf(factsOf({ Total: '10', A: '10' }))] }).status).toBe('pass');
    expect(judge({ ...rule, children, sets: [setOf(factsOf({ Total: '9', A: '10' }))] })).toMatchObject({
      status: 'fail',
      message: 'rollup failed; residual = -1',
    });
  });

  it('falls back on the written summands where the total has no arcs', () => {
    expect(judge({ ...rule, sets: [setOf(factsOf({ Total: '6', A: '4', B: '2' }))] }).status).toBe('pass');
    expect(judge({ ...rule, sets: [setOf(factsOf({ Total: '6', A: '4' }))] }).status).toBe('fail');
  });

  it('skips without the total, and without any summand', () => {
    expect(judge({ ...rule, children, sets: [setOf(factsOf({ A: '4' }))] })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: Total',
    });
    expect(judge({ ...rule, children, sets: [setOf(factsOf({ Total: '4' }))] })).toMatchObject({
      status: 'skipped',
      message: 'no summand has a fact',
    });
  });

  it('breaks when its expression has one side', () => {
    const sets = [setOf(factsOf({ Total: '6' }))];
    expect(judge({ ...rule, expression: '$Total', sets }).status).toBe('error');
  });
});

describe('SumEquals', () => {
  const rule = { pattern: 'SumEquals', expression: 'sum($A) = 12', variables: ['A'] };
  const history = factsOf({ A: ['5', '7'] });

  it('sums every movement of the element against the written total (reporting R-14)', () => {
    expect(judge({ ...rule, history, metadata: { expected_total: '12' } }).status).toBe('pass');
    expect(judge({ ...rule, history, metadata: { expected_total: 13 } })).toMatchObject({
      status: 'fail',
      message: 'sum 12 != expected 13',
    });
  });

  it('is an error without a written total, not a comparison with zero (reporting R-14, W-5)', () => {
    expect(judge({ ...rule, history })).toMatchObject({
      status: 'error',
      message: expect.stringContaining('expected_total'),
    });
  });

  it('skips without movements', () => {
    const balances = factsOf({ A: '12' }, { periodType: 'instant' });
    expect(judge({ ...rule, history: balances, metadata: { expected_total: '12' } })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: A',
    });
  });
});

describe('Exists and CoExists', () => {
  const variables = ['A', 'B'];
  const having = (values: Facts) => [setOf(factsOf({ Other: '1', ...values }))];

  it('want one of the concepts', () => {
    expect(judge({ pattern: 'Exists', variables, sets: having({ B: '1' }) }).status).toBe('pass');
    expect(judge({ pattern: 'Exists', variables, sets: having({}) })).toMatchObject({
      status: 'fail',
      message: 'required concept(s) not present: A, B',
    });
  });

  it('want all of the concepts or none', () => {
    expect(judge({ pattern: 'CoExists', variables, sets: having({}) }).status).toBe('pass');
    expect(judge({ pattern: 'CoExists', variables, sets: having({ A: '1', B: '1' }) }).status).toBe('pass');
    expect(judge({ pattern: 'CoExists', variables, sets: having({ A: '1' }) })).toMatchObject({
      status: 'fail',
      message: 'only some concepts are present: A; absent: B',
    });
  });

  it('skip where there are no facts at all, and break on a variable that is declared twice', () => {
    expect(judge({ pattern: 'Exists', variables, sets: [] }).status).toBe('skipped');
    expect(judge({ pattern: 'CoExists', variables, sets: [] }).status).toBe('skipped');
    expect(judge({ pattern: 'Exists', variables: ['A', 'A'], sets: having({}) }).status).toBe('error');
    expect(judge({ pattern: 'CoExists', variables: ['A', 'A'], sets: having({}) }).status).toBe('error');
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
  ])('%s on %s with %o: %s', (pattern, expression, values, status) => {
    expect(judge(given(pattern, expression, values)).status).toBe(status);
  });

  it('let a value be as far below zero as the tolerance', () => {
    const rule = { pattern: 'GreaterThanOrEqualToZero', expression: '$A >= 0', variables: ['A'] };
    expect(judge({ ...rule, sets: [setOf(factsOf({ A: '-0.01' }))] }).status).toBe('pass');
    expect(judge({ ...rule, sets: [setOf(factsOf({ A: '-0.010001' }))] })).toMatchObject({
      status: 'fail',
      message: 'below zero: A = -0.010001',
    });
    expect(judge({ ...rule, sets: [setOf(factsOf({ Other: '1' }))] }).status).toBe('skipped');
    const twice = { ...rule, variables: ['A', 'A'] };
    expect(judge({ ...twice, sets: [setOf(factsOf({ A: '1' }))] }).status).toBe('error');
  });
});

describe('Variance', () => {
  const rule = {
    pattern: 'Variance',
    expression: '$Variance = $Actual - $Budget',
    variables: ['Variance', 'Actual', { name: 'Budget', elementId: 'Actual', scenarioId: 'struct_plan' }],
  };
  const facts = factsOf({ Variance: '-2', Actual: '10' });

  it('takes the budget from the plan that it names', () => {
    const plan = (value: string) => new Map([['struct_plan', new BoundFacts(factsOf({ Actual: value }))]]);
    expect(judge({ ...rule, sets: [setOf(facts, { scenarios: plan('12') })] }).status).toBe('pass');
    expect(judge({ ...rule, sets: [setOf(facts, { scenarios: plan('13') })] }).status).toBe('fail');
  });

  it('skips without the plan', () => {
    expect(judge({ ...rule, sets: [setOf(facts)] })).toMatchObject({
      status: 'skipped',
      message: 'no fact bound for variables: Budget',
    });
  });

  it('breaks on an expression that cannot be read', () => {
    expect(judge({ ...rule, expression: '$Variance = $Actual -', sets: [setOf(facts)] }).status).toBe('error');
  });
});

describe('rules that are no arithmetic', () => {
  const empty = { sets: [], patterns: new Map(Object.entries(builtInPatterns)), elementIdByQname: new Map() };
  const nothing = { ...empty, children: () => [], history: () => [] };

  it('are skipped when they check the structure, and left out when they derive (reporting R-3, 3.4)', () => {
    const structural = { ...ruleOf({ pattern: 'EqualTo' }), pattern: null, checkKind: 'NoCycles' };
    expect(judgeRules({ ...nothing, rules: [structural] })).toMatchObject([
      { status: 'skipped', message: 'structural check; evaluated at taxonomy write' },
    ]);
    expect(judgeRules({ ...nothing, rules: [ruleOf({ pattern: 'Derive' })] })).toEqual([]);
  });

  it('are an error of their own when nobody knows their pattern, and the others are judged (reporting R-20)', () => {
    const rules = [ruleOf({ pattern: 'Guess' }), ruleOf({ pattern: 'Exists', variables: ['A'] })];
    expect(judgeRules({ ...nothing, rules }).map(({ status }) => status)).toEqual(['error', 'skipped']);
  });

  it('may have a pattern that a plugin adds', () => {
    const isRound: RulePatternSpec = {
      asked: 'column',
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
    expect(judge({ ...rule, sets: [setOf(factsOf({ A: '3' }))] }).status).toBe('pass');
    expect(judge({ ...rule, sets: [setOf(factsOf({ A: '3.5' }))] })).toMatchObject({
      status: 'fail',
      message: 'not round',
    });
  });
});
