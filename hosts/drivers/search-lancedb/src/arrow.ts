import { createRequire } from 'node:module';

/**
 * The copy of Arrow that LanceDB uses, loaded with this module, which itself is loaded at the first use of the engine.
 * An `import` would load the package a second time, as ES modules, and the engine would convert its tables.
 */
export const arrow = createRequire(import.meta.url)('apache-arrow') as typeof import('apache-arrow');
