export { callsCatalog, listCatalog, portableProcedures } from './catalog-procedures.ts';
export { withDeadline } from './deadline.ts';
export { GraphMutex } from './graph-mutex.ts';
export { type NamedStatement, nameColumns } from './return-clause.ts';
export { listTables, tableProcedures } from './table-procedures.ts';
export { writtenRowStream } from './written-row-stream.ts';
