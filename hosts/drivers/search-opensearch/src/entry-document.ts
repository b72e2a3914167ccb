import { toUSVString } from 'node:util';
import { type FoundEntry, type IndexEntry, searchTerms } from '@pacioli/core/ports';
import { maxDimensions } from './options.ts';

/** The stored document of an entry: the entry as it is read back, and the fields by which it is searched. */
export function documentOf({ embedding, ...entry }: IndexEntry): object {
  const direction = directionOf(embedding);
  return {
    entry,
    id: entry.id,
    sourceType: entry.sourceType,
    sectionId: entry.sectionId,
    entityTicker: entry.entityTicker,
    cik: entry.entityCik === null ? null : cikKey(entry.entityCik),
    element: [entry.elementQname, ...(entry.xbrlElements ?? [])].filter((name) => name !== null),
    filingDate: entry.filingDate,
    formType: entry.formType,
    fiscalYear: entry.fiscalYear,
    generation: entry.generation,
    model: entry.embeddingModel,
    // An entry with a vector of zeros counts as embedded by its model, and no search by vector finds it.
    nearModel: direction === undefined ? null : entry.embeddingModel,
    terms: {
      content: termsOf(entry.content),
      label: termsOf(entry.sectionLabel),
      title: termsOf(entry.documentTitle),
      entity: termsOf(entry.entityName),
    },
    vector: direction === undefined ? {} : Object.fromEntries(direction.entries()),
  };
}

/** JSON whose texts are valid Unicode, because the server refuses lone surrogates. */
export function jsonOf(value: object): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? toUSVString(each) : each));
}

/** A CIK without its leading zeros. */
export function cikKey(cik: string): string {
  return cik.replace(/^0+(?=.)/, '');
}

/** The vector at length 1; undefined for a vector of zeros, which has no direction and so no cosine. */
export function directionOf(vector: Float32Array | null): readonly number[] | undefined {
  if (vector === null) return undefined;
  if (vector.length > maxDimensions) throw new RangeError(`A vector has at most ${maxDimensions} dimensions.`);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? undefined : Array.from(vector, (value) => value / length);
}

/** The terms of a text, separated by spaces; null without terms, because statistics count only fields with some. */
function termsOf(text: string | null): string | null {
  const terms = text === null ? [] : searchTerms(text);
  return terms.length === 0 ? null : terms.join(' ');
}

/** The source of a hit or document: the part of it that is read back. */
export interface StoredDocument {
  readonly entry: FoundEntry;
}
