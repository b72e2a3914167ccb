/** Kinds and shapes of elements, structures, arcs and taxonomies. */
export {
  type Block,
  type BlockArc,
  type BlockElement,
  type BlockIssue,
  type BlockRule,
  type BlockStructure,
  derivedQname,
  inPhaseOrder,
  issue,
  issuesText,
  type RuleTarget,
  type RuleVariable,
  structuresByRef,
} from './block.ts';
export type {
  Abbreviation,
  BalanceType,
  CalculationArc,
  CashFlowDerivation,
  CuratedGaap,
  EquityChange,
  FrameworkDriver,
  FrameworkElement,
  FrameworkMetric,
  FrameworkStructure,
  Frameworks,
  FundamentalConcepts,
  Identity,
  NoncashItem,
  PeriodType,
  PresentationArc,
  ReportingStyle,
  Synonym,
} from './framework-types.ts';
export type {
  StoredArc,
  StoredBlock,
  StoredElement,
  StoredRule,
  StoredStructure,
  TaxonomyHead,
} from './stored-block.ts';
export { taxonomyType, taxonomyTypeNames } from './taxonomy-types.ts';
export { visible, visibleInUse } from './visible-rows.ts';
export {
  balanceTypeOfTrait,
  chartSources,
  elementTypes,
  libraryGraphId,
  librarySeeder,
  liquidityOf,
  periodTypeOfTrait,
  traitsCompatibleWith,
} from './vocabulary.ts';
