/** The cash flow and the changes in equity, allocated from the journal without I/O. */
export type { EquityRules } from './equity-totals.ts';
export { type CashFlow, type FlowAccount, type FlowRules, FlowTotals } from './flow-totals.ts';
export {
  type ConceptClass,
  type FlowNetwork,
  flowNetwork,
  netChangeInCash,
  operatingTotal,
} from './network.ts';
export { supplementalAmounts } from './supplemental.ts';
