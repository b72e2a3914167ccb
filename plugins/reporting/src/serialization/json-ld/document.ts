import { compareText, indentedJson } from '../bundle/index.ts';
import type { JsonLdContext } from './context.ts';

/** A node of a document; absent fields are left out. */
export type JsonLdNode = { readonly id: string; readonly type: string | readonly string[] } & Readonly<
  Record<string, unknown>
>;

/** A node that is made when it is written, because the nodes of all facts together need much memory. */
export interface LazyNode extends Pick<JsonLdNode, 'id' | 'type'> {
  make(): JsonLdNode;
}

/** The text of a document with these items in its graph, in parts (reporting X-9). */
export function* documentParts(context: JsonLdContext, items: Iterable<Iterable<string>>): Generator<string> {
  yield `{\n  "@context": ${indentedJson(sorted(context), 2)},\n  "@graph": `;
  yield* listParts(items, 2);
  yield '\n}\n';
}

/** The text of a list, in parts; the items have the indentation of their place already. */
export function* listParts(items: Iterable<Iterable<string>>, indent: number): Generator<string> {
  let isEmpty = true;
  for (const item of items) {
    yield isEmpty ? '[\n' : ',\n';
    yield* item;
    isEmpty = false;
  }
  yield isEmpty ? '[]' : `\n${' '.repeat(indent)}]`;
}

/** The texts of nodes as items of a list, each made when it is written. */
export function* nodeTexts(nodes: Iterable<LazyNode>, indent: number): Generator<Iterable<string>> {
  for (const node of nodes) yield [`${' '.repeat(indent)}${indentedJson(sorted(node.make()), indent)}`];
}

/** Sorts nodes by id, numbers in ids by value: `/2` comes before `/10` (reporting X-9). */
export function sortNodes<Node extends { readonly id: string }>(nodes: readonly Node[]): readonly Node[] {
  return nodes
    .map((node) => ({ node, parts: partsOf(node.id) }))
    .sort((a, b) => compareParts(a.parts, b.parts) || compareText(a.node.id, b.node.id))
    .map(({ node }) => node);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return Object.fromEntries(
    entries.sort(([a], [b]) => compareText(a, b)).map(([name, field]) => [name, sorted(field)]),
  );
}

/** A run of digits or of other characters. */
interface Part {
  readonly text: string;
  /** The digits without zeros at their beginning. */
  readonly number: string | undefined;
}

const runs = /\d+|\D+/g;

function partsOf(id: string): readonly Part[] {
  return (id.match(runs) ?? []).map((text) => ({
    text,
    number: /^\d/.test(text) ? text.replace(/^0+(?=\d)/, '') : undefined,
  }));
}

/** Compares by code unit, and runs of digits by their number. */
function compareParts(left: readonly Part[], right: readonly Part[]): number {
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = comparePart(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function comparePart(a: Part, b: Part): number {
  if (a.number === undefined || b.number === undefined) return compareText(a.text, b.text);
  return a.number.length - b.number.length || compareText(a.number, b.number);
}
