export { decimal, evaluateExpression } from './domain/evaluate-expression.ts';
export { type Expression, ExpressionError, type Operand, operandsOf, type Relation } from './domain/expression.ts';
export { type ExpressionFeatures, parseRelation } from './domain/parse-expression.ts';
export type {
  BlockConnection,
  BlockElement,
  BlockStructure,
  BlockView,
  ChartPanel,
  Rendering,
  RenderingPeriod,
  RenderingRow,
  RenderingValidation,
  ViewColumn,
  ViewSubject,
} from './models/block-view.ts';
export type {
  FactFilter,
  FactMember,
  FactScope,
  FactSetFilter,
  FactSetType,
  NewFact,
  NewFactSet,
  ScenarioChoice,
  StoredFact,
  StoredFactSet,
} from './models/facts.ts';
export type {
  Column,
  PatternCase,
  PatternOutcome,
  RulePatternSpec,
  WeightedChild,
} from './models/rule-patterns.ts';
export type {
  BoundFact,
  Evaluation,
  NewRule,
  Rule,
  RuleMetadata,
  RuleStatus,
  RuleSummary,
  RuleTarget,
  RuleVariable,
  VerificationResult,
} from './models/rules.ts';
export { default } from './plugin.ts';
export {
  type BlockEnvelopes,
  type BlockType,
  type BlockViewer,
  type BlockWork,
  blockEnvelopes,
  blockTypes,
  blockViewers,
  type EnvelopeOptions,
  type EvaluationRequest,
  type FactStore,
  factStore,
  type ReportingEntities,
  type RuleEngine,
  type RulePattern,
  type RuleStore,
  reportingEntities,
  ruleEngine,
  rulePatterns,
  ruleStore,
  type WrittenBlock,
} from './tokens.ts';
