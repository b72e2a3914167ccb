export { estimatedTokens, tokensOf } from './estimate.ts';
export {
  type CallerFacts,
  MeteredModel,
  type MeteredRequest,
  noModel,
  ProviderFailure,
  type Spent,
  usageOf,
} from './metered-model.ts';
export { checkModels, hasModel, modelFor } from './models.ts';
