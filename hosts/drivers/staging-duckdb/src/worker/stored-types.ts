import { duckdbType } from '@pacioli/worker-process/duckdb-text';

/**
 * The type in which a parquet file has values of a type of graphs CS-1. Parquet has no whole numbers of 128 bits, intervals
 * of milliseconds at most, and no lists of a fixed length.
 */
export function storedType(type: string): string {
  if (type === 'INT128' || type === 'INTERVAL') return 'VARCHAR';
  return duckdbType(type).replaceAll(/\[\d+\]/g, '[]');
}
