export { describeLanguageModel, type TestedModel } from './describe-language-model.ts';
