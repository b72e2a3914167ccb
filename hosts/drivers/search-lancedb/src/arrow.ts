import { createRequire } from 'node:module';

/**
 * The copy of Arrow that LanceDB uses. An `import` would load the package a second time, in another form, and its tables
 * would have to be converted.
 */
export const arrow = createRequire(import.meta.url)('apache-arrow') as typeof import('apache-arrow');
