import { placedTerms } from '@pacioli/core/ports';

const fragmentCharacters = 200;
const maxFragments = 3;
/** Shown of an entry that has none of the terms, such as one found by its vector alone. */
const openingCharacters = 300;
const separator = ' ... ';

interface Match {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** A place in the text with matches near each other. */
interface Cluster {
  readonly start: number;
  readonly end: number;
  readonly terms: number;
  readonly matches: number;
}

/**
 * An excerpt of a text for the terms of a query (ai-surface SR-20): up to three fragments around matches, the best first;
 * with a number of characters as many as fit, and a single one may be as long. Plain text, without marks.
 */
export function excerptOf(content: string, terms: ReadonlySet<string>, maxCharacters?: number): string {
  if (maxCharacters !== undefined && content.length <= maxCharacters) return content;
  const matches: Match[] = [];
  for (const place of placedTerms(content)) if (terms.has(place.term)) matches.push(place);
  if (matches.length === 0) return cut(content, 0, maxCharacters ?? openingCharacters);
  const most = maxCharacters === undefined ? maxFragments : Math.max(1, Math.floor(maxCharacters / fragmentCharacters));
  const chosen = bestClusters(clustersOf(matches), most);
  const budget = maxCharacters ?? fragmentCharacters * chosen.length + separator.length * (chosen.length - 1);
  const width = Math.floor((budget - separator.length * (chosen.length - 1)) / chosen.length);
  return chosen.map((cluster) => fragmentAround(content, cluster, width)).join(separator);
}

/** Matches that fit into one fragment, from each match on. */
function clustersOf(matches: readonly Match[]): readonly Cluster[] {
  const clusters: Cluster[] = [];
  let last = 0;
  const counts = new Map<string, number>();
  matches.forEach((first, at) => {
    while (last < matches.length) {
      const next = matches[last];
      if (next === undefined || (next.end - first.start > fragmentCharacters && last > at)) break;
      counts.set(next.term, (counts.get(next.term) ?? 0) + 1);
      last += 1;
    }
    const end = matches[last - 1]?.end ?? first.end;
    clusters.push({ start: first.start, end, terms: counts.size, matches: last - at });
    const left = (counts.get(first.term) ?? 1) - 1;
    if (left === 0) counts.delete(first.term);
    else counts.set(first.term, left);
  });
  return clusters;
}

/** The clusters with the most terms, then the most matches, then the first, that are not within each other's fragment. */
function bestClusters(clusters: readonly Cluster[], most: number): readonly Cluster[] {
  const ordered = [...clusters].sort((a, b) => b.terms - a.terms || b.matches - a.matches || a.start - b.start);
  const chosen: Cluster[] = [];
  for (const cluster of ordered) {
    if (chosen.length === most) break;
    const isApart = chosen.every((other) => Math.abs(middleOf(other) - middleOf(cluster)) >= fragmentCharacters);
    if (isApart) chosen.push(cluster);
  }
  return chosen;
}

const middleOf = ({ start, end }: Cluster): number => (start + end) / 2;

function fragmentAround(content: string, { start, end }: Cluster, width: number): string {
  const from = Math.max(0, Math.min(start - Math.floor((width - (end - start)) / 2), content.length - width));
  return cut(content, from, width);
}

/** A piece of at most this many characters that begins and ends between words where it can. */
function cut(content: string, from: number, width: number): string {
  const text = content.slice(from, from + width);
  const opening = from === 0 ? 0 : text.search(/\s/) + 1;
  const closing = from + width >= content.length ? text.length : text.search(/\s\S*$/);
  const isShortened = closing - opening >= width / 2;
  return withoutHalves(isShortened ? text.slice(opening, closing) : text).trim();
}

/** A cut may have halved a character outside of the basic plane. */
function withoutHalves(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
