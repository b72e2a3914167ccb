// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface GraphGeneration {
  readonly graph_id: string;
  readonly active: number;
  readonly last_number: number;
  readonly materialized_at: Date | null;
  readonly materialized_count: number;
  readonly total_rows: number;
  readonly builder: string | null;
  readonly taken_reason: string | null;
}

export interface GraphQueryCount {
  readonly graph_id: string;
  readonly slot: Date;
  readonly statements: number;
  readonly failures: number;
  readonly total_ms: number;
  readonly last_at: Date;
}

/** For `tx.tables<GraphTables>()`. */
export interface GraphTables {
  readonly graph_generation: GraphGeneration;
  readonly graph_query_count: GraphQueryCount;
}
