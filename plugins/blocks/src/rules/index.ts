/** Rules: their lookup, inputs, evaluation and stored results. */
export { decimal, evaluateExpression } from './evaluate-expression.ts';
export { checkNewRules } from './rule-checks.ts';
export { StoredRuleEngine } from './rule-engine.ts';
export { listedRules, RuleFinder } from './rule-finder.ts';
export { builtInPatterns } from './rule-patterns.ts';
export { insertRules, readRulesOfStructures, removeRules } from './rules.ts';
export { readResults } from './verification-results.ts';
