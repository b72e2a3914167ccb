/** Mapping accounts to concepts: edits by hand, suggestions and auto-map. */
export { type AutoMapper, createAutoMapper } from './auto-mapper.ts';
export { coverageOf, leadsToRoot } from './coverage.ts';
export { createMappingEdits, type MappingEdits } from './mapping-edits.ts';
export type { MappingModel, ModelAnswer, ModelPrompt } from './mapping-model.ts';
export { createSuggester, unmappedAccount } from './suggest.ts';
