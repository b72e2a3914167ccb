export { type AiSdkModel, type AiSdkOptions, aiSdkLanguageModel } from './ai-sdk-model.ts';
