import { BoundFacts } from '../src/facts/bound-facts.ts';
import type { RulePatternSpec, WeightedChild } from '../src/models/rule-patterns.ts';
import type { BoundFact, Rule, RuleMetadata, RuleVariable } from '../src/models/rules.ts';
import { type EvaluatedSet, evaluateRules, type RuleOutcome } from '../src/rules/evaluate-rules.ts';
import { builtInPatterns } from '../src/rules/rule-patterns.ts';

export const march = { start: '2026-03-01', end: '2026-03-31' };
export const april = { start: '2026-04-01', end: '2026-04-30' };

export interface Facts {
  /** Values by element in March, April or both. */
  readonly [elementId: string]: string | readonly [march: string | null, april: string | null];
}

export function factsOf(values: Facts, more: Partial<BoundFact> = {}): readonly BoundFact[] {
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

export function setOf(facts: readonly BoundFact[], more: Partial<EvaluatedSet> = {}): EvaluatedSet {
  const bound = new BoundFacts(facts);
  return { facts: bound, columns: bound.columns(), earlier: [], siblings: new Map(), scenarios: new Map(), ...more };
}

export interface Situation {
  readonly pattern: string;
  readonly expression?: string;
  readonly variables?: readonly (string | (Partial<RuleVariable> & { readonly name: string }))[];
  readonly metadata?: RuleMetadata;
  readonly sets?: readonly EvaluatedSet[];
  readonly children?: Readonly<Record<string, readonly WeightedChild[]>>;
  readonly history?: readonly BoundFact[];
  readonly patterns?: ReadonlyMap<string, RulePatternSpec>;
}

/** A variable is bound to the element with its name unless the situation overrides it. */
export function ruleOf({ pattern, expression = '', variables = [], metadata = {} }: Situation): Rule {
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

export function evaluate(situation: Situation): RuleOutcome {
  const history = new BoundFacts(situation.history ?? []);
  const [outcome] = evaluateRules({
    rules: [ruleOf(situation)],
    sets: situation.sets ?? [],
    patterns: situation.patterns ?? new Map(Object.entries(builtInPatterns)),
    elementIdByQname: new Map([['x:Cash', 'Cash']]),
    children: (id) => situation.children?.[id] ?? [],
    history: (id) => history.all(id),
  });
  if (outcome === undefined) throw new Error('The rule was not evaluated.');
  return outcome;
}

export const sides = (values: Facts) => ({
  expression: '$A = $B + $C',
  variables: ['A', 'B', 'C'],
  sets: [setOf(factsOf(values))],
});
