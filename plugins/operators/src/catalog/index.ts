export { authorDepth, type Depth, depths, expectedTokens, type OperatorMode, operatorModes } from './depth.ts';
export {
  type AnswerError,
  type Capability,
  capabilities,
  type HistoryMessage,
  type Operator,
  type OperatorAnswer,
  type OperatorContext,
  operatorTypeForm,
  type Question,
} from './operator.ts';
export { analystScore, mappingScore } from './scores.ts';
export { findOperator, modeOf, type Selection, selectOperator } from './select-operator.ts';
