export {
  type AnswerError,
  type Capability,
  type Depth,
  type HistoryMessage,
  type Operator,
  type OperatorAnswer,
  type OperatorContext,
  type OperatorMode,
  type Question,
} from './catalog/index.ts';
export { offlineLanguageModel } from './offline/index.ts';
export { default } from './plugin.ts';
export { type LoopPlan, runToolLoop } from './tool-loop/index.ts';
export { operators } from './tokens.ts';
