// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface GraphBackupEntry {
  readonly graph_id: string;
  readonly backup_id: string;
  readonly of_graph_id: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'expired';
  readonly initiated_by: 'user' | 'scheduled' | 'final';
  readonly file_key: string;
  readonly original_bytes: number;
  readonly compressed_bytes: number;
  readonly nodes: number;
  readonly relationships: number;
  readonly seconds: number;
  readonly error: string | null;
  readonly created_at: Date;
  readonly completed_at: Date | null;
  readonly expires_at: Date;
}

export interface GraphBuildFailure {
  readonly graph_id: string;
  readonly reason: string;
  readonly failed_at: Date;
}

export interface GraphDownload {
  readonly graph_id: string;
  readonly backup_id: string;
  readonly user_id: string;
  readonly at: Date;
  readonly number: number;
}

export interface GraphFile {
  readonly graph_id: string;
  readonly file_id: string;
  readonly position: number;
  readonly user_id: string;
  readonly table_name: string;
  readonly file_name: string;
  readonly format: 'parquet' | 'csv' | 'json';
  readonly file_key: string;
  readonly size_bytes: number;
  readonly row_count: number | null;
  readonly upload_status: 'pending' | 'uploaded' | 'failed';
  readonly staging_status: 'pending' | 'staged' | 'failed';
  readonly graph_status: 'pending' | 'ingested' | 'failed';
  readonly created_at: Date;
  readonly uploaded_at: Date | null;
  readonly staged_at: Date | null;
  readonly ingested_at: Date | null;
}

export interface GraphGeneration {
  readonly graph_id: string;
  readonly active: number;
  readonly last_number: number;
  readonly materialized_at: Date | null;
  readonly materialized_count: number;
  readonly total_rows: number;
  readonly builder: string | null;
  readonly taken_reason: string | null;
  readonly taken_since: Date | null;
}

export interface GraphLastAccess {
  readonly graph_id: string;
  readonly last_at: Date;
}

export interface GraphNightlyBackup {
  readonly graph_id: string;
  readonly changed_at: Date;
  readonly due_at: Date | null;
}

export interface GraphQueryCount {
  readonly graph_id: string;
  readonly slot: Date;
  readonly statements: number;
  readonly failures: number;
  readonly total_ms: number;
  readonly last_at: Date;
}

export interface GraphRefresh {
  readonly graph_id: string;
  readonly not_before: Date;
  readonly failures: number;
  readonly operation_id: string | null;
}

/** For `tx.tables<GraphTables>()`. */
export interface GraphTables {
  readonly graph_backup_entry: GraphBackupEntry;
  readonly graph_build_failure: GraphBuildFailure;
  readonly graph_download: GraphDownload;
  readonly graph_file: GraphFile;
  readonly graph_generation: GraphGeneration;
  readonly graph_last_access: GraphLastAccess;
  readonly graph_nightly_backup: GraphNightlyBackup;
  readonly graph_query_count: GraphQueryCount;
  readonly graph_refresh: GraphRefresh;
}
