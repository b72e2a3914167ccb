import { Readable } from 'node:stream';
import { type CollectionEntry, createCollection } from '@pacioli/core';
import type { ReportBundle } from '../bundle/index.ts';

/** A format that reports are downloaded in (reporting G-8). The key is the `format` of answers, such as `xbrl-2.1`. */
export interface ReportSerializer extends CollectionEntry {
  /** Of files, without a point at its start. */
  readonly extension: string;
  readonly contentType: string;
  /** True for a format that is stored once for each generation; others are made for each request. */
  readonly isStored: boolean;
  /** True if it writes the `forecast` of a bundle; a forecast in any other format is refused (reporting X-41). */
  readonly showsForecasts?: boolean;
  /**
   * The report in this format, whole or in parts; the same bundle always gives the same bytes (reporting G-5). Throws if
   * the result would not be valid: a format in parts at once, because its first part may be sent before the others exist.
   */
  serialize(bundle: ReportBundle): Promise<Uint8Array> | AsyncIterable<Uint8Array>;
  /** What the format leaves out of the report, as `omittedContent` of answers. */
  omitted(bundle: ReportBundle): readonly string[];
}

export const reportSerializers = createCollection<ReportSerializer>('reporting.serializers');

/** The report in a format, in parts (reporting G-5). */
export async function serialized(
  serializer: ReportSerializer,
  bundle: ReportBundle,
): Promise<AsyncIterable<Uint8Array>> {
  const written = serializer.serialize(bundle);
  return Symbol.asyncIterator in written ? written : Readable.from([await written]);
}
