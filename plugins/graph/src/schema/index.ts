/** The schema of a graph as callers declare, check and read it (graphs 7, 8). */
export { compatibilityOf } from './compatibility.ts';
export { cypherOf, definitionOf } from './definition.ts';
export { schemaOf } from './graph-schema-answer.ts';
export { parseDefinition } from './parse-definition.ts';
