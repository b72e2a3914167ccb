/** The constraints on documents, and their check. */
export { type BundleValidation, reportShapes, validateJsonLd } from './validate-json-ld.ts';
