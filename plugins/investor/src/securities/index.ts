/** Securities: their issuers, their rules and their rows. */
export { Issuers } from './issuers.ts';
export { projectedSecurities } from './projected-securities.ts';
export { type KnownSecurity, SecurityBatches } from './security-batches.ts';
export { SecurityEditor } from './security-editor.ts';
export { problemOfShares, requireSourceGraph, requireTermsWithinLimits } from './security-rules.ts';
export { type SecurityFields, type SecurityRow, StoredSecurities } from './stored-securities.ts';
