import { invalidInput } from '@pacioli/core';
import { ExpressionError, parseRelation } from '@pacioli/taxonomy/expressions';
import type { RulePatternSpec } from '../models/rule-patterns.ts';
import type { NewRule } from '../models/rules.ts';

const maxRulesPerCall = 1_000;

/** Rejects rules that the engine could never evaluate when they are written, instead of failing at every close. */
export function checkNewRules(rules: readonly NewRule[], patterns: ReadonlyMap<string, RulePatternSpec>): void {
  if (rules.length > maxRulesPerCall) throw invalidInput(`At most ${maxRulesPerCall} rules at once.`);
  for (const rule of rules) {
    if ((rule.pattern === null) === (rule.checkKind === null)) {
      throw invalidInput(`Rule "${rule.name}": give a pattern or a check kind, and not both.`);
    }
    if (rule.pattern !== null) checkPattern(rule, rule.pattern, patterns);
  }
}

function checkPattern(rule: NewRule, name: string, patterns: ReadonlyMap<string, RulePatternSpec>): void {
  const pattern = patterns.get(name);
  if (pattern === undefined) {
    throw invalidInput(
      `Rule "${rule.name}": "${name}" is not a pattern. Use one of ${[...patterns.keys()].join(', ')}.`,
    );
  }
  const names = rule.variables.map((variable) => variable.name);
  const twice = names.find((each, at) => names.indexOf(each) !== at);
  if (twice !== undefined) throw invalidInput(`Rule "${rule.name}": the variable ${twice} is declared twice.`);
  // Derive has a formula although it is never evaluated; patterns without signs only display their expression.
  if (pattern.relations.length === 0 && pattern.evaluatedPer !== 'never') return;
  try {
    parseRelation(rule.expression, pattern.evaluatedPer === 'never' ? { hasAverage: true, hasPrevious: true } : {});
  } catch (error) {
    if (error instanceof ExpressionError) throw invalidInput(`Rule "${rule.name}": ${error.message}.`);
    throw error;
  }
}
