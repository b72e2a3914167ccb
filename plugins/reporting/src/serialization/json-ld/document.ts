import { compareText } from '../bundle/index.ts';
import type { JsonLdContext } from './context.ts';

/** A node of a document; absent fields are left out. */
export type JsonLdNode = { readonly id: string; readonly type: string | readonly string[] } & Readonly<
  Record<string, unknown>
>;

/** A document of one graph. */
export interface JsonLdDocument {
  readonly '@context': JsonLdContext;
  readonly '@graph': readonly JsonLdNode[];
}

/** The text of a document, which is the same for the same nodes in any order (reporting X-9). */
export function documentText(document: object): string {
  return `${JSON.stringify(sorted(document), null, 2)}\n`;
}

/** Sorts nodes by id, numbers in ids by value. */
export function sortNodes<Node extends { readonly id: string }>(nodes: readonly Node[]): readonly Node[] {
  return [...nodes].sort((a, b) => compareNumericAware(a.id, b.id));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return Object.fromEntries(
    entries.sort(([a], [b]) => compareText(a, b)).map(([name, field]) => [name, sorted(field)]),
  );
}

const runs = /\d+|\D+/g;

/** Compares by code unit, and runs of digits by their number, so that `/2` comes before `/10` (reporting X-9). */
export function compareNumericAware(a: string, b: string): number {
  const [left, right] = [a.match(runs) ?? [], b.match(runs) ?? []];
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = isNumber(part) && isNumber(other) ? compareDigits(part, other) : compareText(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length || compareText(a, b);
}

function isNumber(part: string): boolean {
  return /^\d/.test(part);
}

function compareDigits(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')];
  return left.length - right.length || compareText(left, right);
}
