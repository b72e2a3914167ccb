import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FileStore } from '@pacioli/core/ports';

interface Node {
  readonly id: string;
  readonly type: string | readonly string[];
  readonly [field: string]: unknown;
}

/** Years by which a copy of the facts is moved: whole leap cycles that are longer than a report. */
const yearsBetweenCopies = 4;
const maxBytes = 1e9;

/** Where the document of the first generation of a report is stored. */
export function storedKey(graph: string, reportId: string): string {
  return `report-bundles/${graph}/${reportId}/v1.jsonld`;
}

export async function readStored(files: FileStore, key: string): Promise<string> {
  return text(Readable.from(await files.read(key, new AbortController().signal)));
}

/**
 * Stores a document of a report with about as many facts as asked: all facts of some of its periods, and copies of them
 * in later years, so that the totals of each period stay those of its items. Returns their number.
 */
export async function storeResized(files: FileStore, key: string, original: string, wanted: number): Promise<number> {
  const document = JSON.parse(original);
  const nodes: readonly Node[] = document['@graph'];
  const facts = groupsByPeriod(nodes.filter(({ type }) => type === 'fin:Fact'));
  const periods = new Map(nodes.filter(({ type }) => type === 'fin:Period').map((node) => [node.id, node]));
  const more: Node[] = [];
  let count = 0;
  for (let copy = 0; count < wanted; copy += 1) {
    for (const [period, own] of facts) {
      if (count >= wanted) break;
      const node = periods.get(period);
      if (node === undefined) throw new Error(`The document has no period ${period}.`);
      const moved = later(node, copy * yearsBetweenCopies);
      if (!periods.has(moved.id)) periods.set(moved.id, moved);
      more.push(
        ...own.map((fact) => ({ ...fact, id: copy === 0 ? fact.id : `${fact.id}-copy${copy}`, period: moved.id })),
      );
      count += own.length;
    }
  }
  const others = nodes.filter(({ type }) => type !== 'fin:Fact' && type !== 'fin:Period');
  const resized = { ...document, '@graph': [...more, ...others, ...periods.values()] };
  const content = Readable.from([Buffer.from(`${JSON.stringify(resized, null, 2)}\n`)]);
  await files.write(key, content, {
    maxBytes,
    contentType: 'application/ld+json',
    signal: new AbortController().signal,
  });
  return count;
}

function groupsByPeriod(facts: readonly Node[]): ReadonlyMap<string, readonly Node[]> {
  const groups = new Map<string, Node[]>();
  for (const fact of facts) {
    const period = String(fact['period']);
    const own = groups.get(period) ?? [];
    groups.set(period, own);
    own.push(fact);
  }
  return groups;
}

/** The period some years later. */
function later(period: Node, years: number): Node {
  const moved = (value: unknown): unknown =>
    typeof value === 'string'
      ? value.replaceAll(/\d{4}(?=-\d\d-\d\d)/g, (year) => String(Number(year) + years))
      : value;
  return Object.fromEntries(Object.entries(period).map(([name, value]) => [name, moved(value)])) as Node; // The same fields.
}
