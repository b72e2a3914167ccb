export { callsCatalog, listCatalog, portableProcedures } from './catalog-procedures.ts';
export { GraphTurns } from './graph-turns.ts';
export { type NamedStatement, nameColumns } from './return-clause.ts';
