/** The constraints on documents, and their check. */
export { type BundleValidation, BundleValidator, bundleValidator } from './bundle-validator.ts';
export { reportShapes } from './report-shapes.ts';
