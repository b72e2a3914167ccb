/** The analytical schema of a graph: its types from extensions, or from a definition that its creator declares. */
export type { CheckedDefinition, SchemaProblem, SchemaStats } from './checked-definition.ts';
export {
  type Freshness,
  type GraphFacts,
  type GraphReads,
  type GraphRows,
  graphReads,
  type RowLimits,
} from './graph-reads.ts';
export {
  type GraphEngine,
  type GraphSchemas,
  graphEngine,
  graphSchemas,
  type SchemaDefinition,
  StoredGraphSchemas,
} from './graph-schemas.ts';
