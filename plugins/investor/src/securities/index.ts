/** Securities: their issuers, their rules and their rows. */
export { Issuers } from './issuers.ts';
export { projectedSecurities } from './projected-securities.ts';
export { SecurityEditor } from './security-editor.ts';
export { type SecurityRow, StoredSecurities } from './stored-securities.ts';
