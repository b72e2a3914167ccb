export { estimatedTokens, tokensOf } from './estimate.ts';
export { MeteredModel, noModel, ProviderFailure, type Spent } from './metered-model.ts';
export { checkModels, hasModel, modelFor } from './models.ts';
