import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { KernelOperation } from '../rows.gen.ts';

/** A result repeats keys within a few kilobytes, and a larger window takes longer to allocate than to use. */
const packing = { windowBits: 12, memLevel: 5 };

/**
 * Packs the result of an inline run, most of which repeats a row of the domain. PostgreSQL compresses no row of less
 * than 2 kB. The text keeps the order of the keys, so that a replay is the same to the byte.
 */
export function packResult(result: unknown): Buffer {
  return deflateRawSync(JSON.stringify(result ?? null), packing);
}

/** The result of a run: packed for an inline one, except of earlier versions, and plain for one of a worker. */
export function resultOf({ packed_result, result }: Pick<KernelOperation, 'packed_result' | 'result'>): unknown {
  return packed_result === null ? result : JSON.parse(inflateRawSync(packed_result).toString());
}
