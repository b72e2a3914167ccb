import { textDecoder } from '@duckdb/node-api/lib/vectors/dataAccessors.js';

/**
 * Keeps U+FEFF at the beginning of the texts that are read. The binding decodes all texts by one decoder that takes it for
 * a byte order mark, so that the keys `\uFEFFq` and `q` would be the same (graphs SQ-5).
 */
export function keepByteOrderMarks(): void {
  const exact = new TextDecoder('utf-8', { ignoreBOM: true });
  textDecoder.decode = exact.decode.bind(exact);
}
