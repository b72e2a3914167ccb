export { callsCatalog, listCatalog, portableProcedures } from './catalog-procedures.ts';
export { type NamedStatement, nameColumns } from './return-clause.ts';
