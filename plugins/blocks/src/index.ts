export { Fact } from './analytical/Fact.ts';
export { FactSet } from './analytical/FactSet.ts';
export { bareStructure, type Envelope } from './envelopes/index.ts';
export { factIn } from './facts/index.ts';
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
  FoundNumber,
  NewFact,
  NewFactSet,
  NewMetricSet,
  NewMonthSet,
  NumberFilter,
  ReplacedSet,
  ScenarioChoice,
  StoredFact,
  StoredFactSet,
  TextFact,
} from './models/facts.ts';
export { informationBlock } from './models/information-block.ts';
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
export { factEntities, factsOfReports, setsOfReports } from './projection/index.ts';
export { decimal, evaluateExpression } from './rules/index.ts';
export {
  type BlockEnvelopes,
  type BlockingFailure,
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
  type ReportFilings,
  type ReportingEntities,
  type RuleEngine,
  type RulePattern,
  type RuleStore,
  reportFilings,
  reportingEntities,
  ruleEngine,
  rulePatterns,
  ruleStore,
  type WrittenBlock,
} from './tokens.ts';
export { forecastLabel } from './values/index.ts';
