// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface MemoryRecord {
  readonly graph_id: string;
  readonly id: string;
  readonly text: string;
  readonly text_key: string;
  readonly source: string;
  readonly memory_type: string;
  readonly tags: readonly string[] | null;
  readonly source_ref: string | null;
  readonly provenance: unknown;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly vector: Buffer | null;
  readonly vector_model: string | null;
  readonly refused_by: string | null;
}

export interface MemoryVectorState {
  readonly graph_id: string;
  readonly vector_model: string | null;
  readonly retry_at: Date | null;
}

/** For `tx.tables<MemoryTables>()`. */
export interface MemoryTables {
  readonly memory_record: MemoryRecord;
  readonly memory_vector_state: MemoryVectorState;
}
