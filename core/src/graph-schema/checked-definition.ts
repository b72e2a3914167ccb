import type { AnalyticalSchema } from '../store/analytical.ts';

/** A problem of a schema, with the JSON pointer of its place. */
export interface SchemaProblem {
  readonly pointer: string;
  readonly message: string;
}

export interface SchemaStats {
  readonly nodes: number;
  readonly relationships: number;
  readonly total_properties: number;
  readonly primary_keys: number;
}

/** The result of checking a schema definition: the schema exactly if there are no problems. */
export interface CheckedDefinition {
  readonly problems: readonly SchemaProblem[];
  readonly warnings: readonly string[];
  readonly stats: SchemaStats;
  /** The types of the definition, with those of `base` before them if it extends base. */
  readonly schema: AnalyticalSchema | undefined;
}
