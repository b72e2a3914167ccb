/** Mapping accounts to concepts: edits by hand, suggestions and auto-map. */
export { createAutoMapper } from './auto-mapper.ts';
export { coverageOf, leadsToRoot } from './coverage.ts';
export { createMappingEdits } from './mapping-edits.ts';
export { createSuggester } from './suggest.ts';
export { unmappedAccount } from './unmapped-account.ts';
