export { offlineLanguageModel } from './offline-model.ts';
export { acceptsScript, scriptedModel, scriptOf } from './script.ts';
