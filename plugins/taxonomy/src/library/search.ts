import { normalizedWords } from '../values/index.ts';

/** The fields that a search matches and sorts by. */
export interface Named {
  readonly qname: string;
  readonly name: string;
  readonly isAbstract: boolean;
  readonly source: string;
}

interface Searchable<T> {
  readonly element: T;
  readonly qname: string;
  readonly localName: string;
  readonly label: string;
  readonly words: ReadonlySet<string>;
}

const minScore = 0.35;

/** Prepares elements for a search by name (taxonomy LB-16); the returned function finds the best matches first. */
export function createSearch<T extends Named>(
  elements: readonly T[],
): (query: string, limit: number, source?: string) => readonly T[] {
  const searchable = elements.map((element): Searchable<T> => {
    const localName = element.qname.slice(element.qname.indexOf(':') + 1);
    return {
      element,
      qname: element.qname.toLowerCase(),
      localName: localName.toLowerCase(),
      label: element.name.toLowerCase(),
      words: new Set([...normalizedWords(element.name), ...normalizedWords(localName)]),
    };
  });
  return (query, limit, source) => {
    const text = query.trim().toLowerCase();
    if (text === '') return [];
    const words = normalizedWords(query.trim().replace(/^[\w-]+:/, ''));
    return searchable
      .filter(({ element }) => source === undefined || element.source === source)
      .map((entry) => ({ element: entry.element, score: scoreOf(entry, text, words) }))
      .filter(({ score }) => score >= minScore)
      .sort(
        (a, b) =>
          b.score - a.score ||
          Number(a.element.isAbstract) - Number(b.element.isAbstract) ||
          (a.element.qname < b.element.qname ? -1 : 1),
      )
      .slice(0, limit)
      .map(({ element }) => element);
  };
}

function scoreOf(entry: Searchable<Named>, text: string, words: readonly string[]): number {
  if (entry.qname === text || entry.localName === text) return 1;
  if (entry.label === text) return 0.95;
  if (words.length > 0 && words.every((word) => entry.words.has(word))) {
    return 0.6 + 0.3 * Math.min(1, words.length / Math.max(1, entry.words.size));
  }
  return entry.qname.includes(text) || entry.label.includes(text) ? 0.4 : 0;
}
