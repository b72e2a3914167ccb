export type {
  AnswerError,
  Capability,
  Depth,
  HistoryMessage,
  Operator,
  OperatorAnswer,
  OperatorContext,
  OperatorMode,
  Question,
} from './catalog/index.ts';
export { offlineLanguageModel } from './offline/index.ts';
export { default } from './plugin.ts';
export { operators } from './tokens.ts';
export { type LoopPlan, runToolLoop } from './tool-loop/index.ts';
