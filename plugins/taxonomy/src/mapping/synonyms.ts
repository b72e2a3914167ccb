import { normalizedWords } from '../values/index.ts';
import { type Synonym, traitsCompatibleWith } from '../vocabulary/index.ts';

export interface SynonymHit {
  /** 0 to 1. */
  readonly score: number;
  /** No other matching row points to another concept. */
  readonly isUnique: boolean;
  /** Unique, and the row explains all or most of the name: it decides alone. */
  readonly isExact: boolean;
  readonly isWholeName: boolean;
}

/** Words that a row need not contain. */
const connectives = new Set(['and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'other', 'the', 'to', 'with']);

/** A name with such a word describes something undecided, unless a row contains the word. */
const undecided = new Set(
  [
    'clearing',
    'suspense',
    'transfer',
    'exchange',
    'reclass',
    'reclassified',
    'unassigned',
    'unapplied',
    'rounding',
  ].concat(['uncategorized', 'discrepancy', 'personal', 'ask', 'unknown', 'temporary']),
);

export interface Synonyms {
  /**
   * The hits for a name, by concept; words of the parent count half (taxonomy AM-13). Only rows with the trait and a
   * candidate as target count: a noncurrent loan does not make a current one ambiguous.
   */
  hits(
    own: readonly string[],
    parent: readonly string[],
    wanted: { readonly trait: string; readonly candidates: ReadonlySet<string> },
  ): ReadonlyMap<string, SynonymHit>;
  /** The one trait that the longest matching rows agree on, regardless of the account's own (taxonomy AM-16). */
  traitOf(own: readonly string[]): string | undefined;
  /** Every word of every row. */
  readonly words: ReadonlySet<string>;
}

/** Prepares the rows once; pure. */
export function createSynonyms(rows: readonly Synonym[]): Synonyms {
  const prepared = rows.map((row) => ({ ...row, words: normalizedWords(row.words.join(' ')) }));
  return {
    hits: (own, parent, { trait, candidates }) => {
      const fit = prepared.filter((row) => candidates.has(row.concept) && traitsCompatibleWith(row.trait).has(trait));
      return hitsOf(fit, own, parent);
    },
    traitOf: (own) => {
      const fired = firedBy(prepared, new Set(own));
      const traits = new Set(longestOf(fired).map(({ trait }) => trait));
      return traits.size === 1 ? [...traits][0] : undefined;
    },
    words: new Set(prepared.flatMap(({ words }) => words)),
  };
}

function hitsOf(
  rows: readonly Synonym[],
  own: readonly string[],
  parent: readonly string[],
): ReadonlyMap<string, SynonymHit> {
  const fired = firedBy(rows, new Set(own));
  const longest = longestOf(fired);
  const hits = new Map<string, SynonymHit>();
  const keep = (concept: string, hit: SynonymHit) => {
    const known = hits.get(concept);
    if (known === undefined || hit.score > known.score || (hit.isExact && !known.isExact)) hits.set(concept, hit);
  };
  const telling = own.filter((word) => !connectives.has(word));
  for (const row of firedBy(rows, new Set([...own, ...parent]))) {
    const isLongest = longest.includes(row);
    const isWholeName = isLongest && telling.every((word) => row.words.includes(word));
    const isOnly = row.isExact && isLongest && (isWholeName || isUnique(row, fired));
    keep(row.concept, {
      score: isLongest ? row.baseScore : row.baseScore / 2,
      isUnique: isOnly,
      isExact: isOnly && explains(row, fired, telling),
      isWholeName,
    });
  }
  return hits;
}

/** True when every other matching row points to the same concept, or is only a part of this one. */
function isUnique(row: Synonym, fired: readonly Synonym[]): boolean {
  return fired.every(
    (other) => other.concept === row.concept || other.words.every((word) => row.words.includes(word)) === true,
  );
}

/** True when this row, with others of its concept, explains more than half of the words and all undecided ones. */
function explains(row: Synonym, fired: readonly Synonym[], telling: readonly string[]): boolean {
  const known = new Set(fired.flatMap(({ concept, words }) => (concept === row.concept ? words : [])));
  const unknown = telling.filter((word) => !known.has(word));
  return unknown.length < telling.length / 2 && !unknown.some((word) => undecided.has(word));
}

function firedBy(rows: readonly Synonym[], words: ReadonlySet<string>): readonly Synonym[] {
  return rows.filter((row) => row.words.every((word) => words.has(word)));
}

function longestOf(fired: readonly Synonym[]): readonly Synonym[] {
  const longest = Math.max(0, ...fired.map(({ words }) => words.length));
  return fired.filter(({ words }) => words.length === longest);
}
