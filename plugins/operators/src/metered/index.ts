export { estimatedTokens, tokensOf } from './estimate.ts';
export { MeteredModel, noModel, ProviderFailure, type Spent, spentOn } from './metered-model.ts';
export { checkModels, hasModel, modelFor } from './models.ts';
