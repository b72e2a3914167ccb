import { type Candidate, mappingCandidates } from './candidates.ts';
import type { Synonym } from './framework-types.ts';
import type { LibraryElementRow } from './library.ts';
import type { LibraryCatalogue } from './library-catalogue.ts';
import { traitsCompatibleWith } from './vocabulary.ts';
import { tellingWords, wordsOf } from './words.ts';

export interface UnmappedAccount {
  readonly name: string;
  readonly parentName: string | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly balanceType: string;
}

export interface Suggestion {
  readonly element: LibraryElementRow;
  /** 0 to 0.99, two decimals: 0.90 and more is high, 0.70 and more is medium (taxonomy T-18). */
  readonly confidence: number;
}

const suggestions_max = 3;
/** Words of a name weigh more than a synonym, as in taxonomy AM-14 with the features that need no model. */
const weights = { words: 0.45 / 0.7, synonym: 0.25 / 0.7 } as const;
const exactConfidence = 0.93;
const fallbackConfidence = 0.4;

/** Suggests reporting concepts for accounts; holds what it prepared per slate, so use one for a list of accounts. */
export function createSuggester(catalogue: LibraryCatalogue): (account: UnmappedAccount) => readonly Suggestion[] {
  const slates = new Map<string, Slate>();
  const synonyms = catalogue.frameworks.gaap.synonyms.map((row) => ({ ...row, words: wordsOf(row.words.join(' ')) }));
  return (account) => {
    if (account.trait === null) return [];
    const key = `${account.trait} ${account.liquidity}`;
    let slate = slates.get(key);
    if (slate === undefined) {
      slate = slateOf(mappingCandidates(catalogue, account));
      slates.set(key, slate);
    }
    return suggest(account, account.trait, slate, synonyms, catalogue);
  };
}

interface Slate {
  readonly entries: readonly { readonly candidate: Candidate; readonly words: ReadonlySet<string> }[];
  /** How much a word tells within this slate. */
  readonly idf: ReadonlyMap<string, number>;
}

interface Hit {
  readonly score: number;
  readonly isExact: boolean;
}

function slateOf(candidates: readonly Candidate[]): Slate {
  const entries = candidates.map((candidate) => ({ candidate, words: tellingWords(candidate.element.name) }));
  const counts = new Map<string, number>();
  for (const { words } of entries) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const idf = new Map([...counts].map(([word, count]) => [word, Math.log(1 + entries.length / count)]));
  return { entries, idf };
}

function suggest(
  account: UnmappedAccount,
  trait: string,
  slate: Slate,
  synonyms: readonly Synonym[],
  catalogue: LibraryCatalogue,
): readonly Suggestion[] {
  const names = new Set([...tellingWords(account.name)].filter((word) => word !== 'expense' || trait !== 'expense'));
  const hits = synonymHits(account, trait, synonyms);
  const scored = slate.entries
    .map(({ candidate, words }) => {
      const hit = hits.get(candidate.element.qname);
      const raw = weights.words * overlap(names, words, slate.idf) + weights.synonym * (hit?.score ?? 0);
      return { candidate, isExact: hit?.isExact === true, score: raw - penalties(account, candidate) };
    })
    // Equal scores are told apart by exactness and name, so that equal inputs give equal answers (AM-17).
    .sort(
      (a, b) =>
        Number(b.isExact) - Number(a.isExact) ||
        b.score - a.score ||
        (a.candidate.element.qname < b.candidate.element.qname ? -1 : 1),
    );
  const [best, second] = scored;
  const ranked = scored.slice(0, suggestions_max).flatMap((entry): readonly Suggestion[] => {
    const lead = entry === best ? Math.max(0, entry.score - (second?.score ?? 0)) : 0;
    const certain = entry.isExact && entry === best ? exactConfidence : 0;
    const confidence = Math.max(certain, calibrated(entry.score, lead));
    return confidence >= 0.3 ? [{ element: entry.candidate.element, confidence }] : [];
  });
  if ((ranked[0]?.confidence ?? 0) >= 0.7) return ranked;
  const fallback = catchAll(trait, account.liquidity, catalogue);
  if (fallback === undefined) return ranked;
  const others = ranked.filter(({ element }) => element !== fallback);
  return [{ element: fallback, confidence: fallbackConfidence }, ...others].slice(0, suggestions_max);
}

function calibrated(score: number, lead: number): number {
  const confidence = 0.5 + (score - 0.35) * 0.9 + Math.min(0.15, lead);
  return Math.round(Math.min(0.99, Math.max(0, confidence)) * 100) / 100;
}

function synonymHits(account: UnmappedAccount, trait: string, synonyms: readonly Synonym[]): ReadonlyMap<string, Hit> {
  const own = wordsOf(account.name);
  const ownWords = new Set(own);
  const withParent = new Set([...own, ...wordsOf(account.parentName ?? '')]);
  const fired = synonyms
    .filter(
      ({ trait: group, words }) =>
        traitsCompatibleWith(group).has(trait) && words.every((word) => withParent.has(word)),
    )
    .map((row) => ({ ...row, isOwn: row.words.every((word) => ownWords.has(word)) }));
  const longest = Math.max(0, ...fired.filter(({ isOwn }) => isOwn).map(({ words }) => words.length));
  const rivals = new Set(
    fired.filter(({ isOwn, words }) => isOwn && words.length === longest).map(({ concept }) => concept),
  );
  const hits = new Map<string, Hit>();
  for (const { concept, words, baseScore, isExact, isOwn } of fired) {
    const isLongest = isOwn && words.length === longest;
    const isWhole = isOwn && words.length === own.length;
    const hit = {
      score: isLongest ? baseScore : baseScore / 2,
      isExact: isExact && isLongest && (isWhole || rivals.size === 1),
    };
    const known = hits.get(concept);
    if (known === undefined || hit.score > known.score || (hit.isExact && !known.isExact)) hits.set(concept, hit);
  }
  return hits;
}

/** Weighted F1 of two sets of words: 1 when they are equal, 0 when they share none. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>, idf: ReadonlyMap<string, number>): number {
  const weigh = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + (idf.get(word) ?? 1), 0);
  const shared = weigh([...a].filter((word) => b.has(word)));
  return shared === 0 ? 0 : (2 * shared) / (weigh(a) + weigh(b));
}

function penalties(account: UnmappedAccount, { element, isExactTrait }: Candidate): number {
  const isContra = element.trait?.startsWith('contra') === true;
  const isOtherSide = element.balanceType !== null && element.balanceType !== account.balanceType;
  const isCatchAll = element.name.startsWith('Other');
  return (isExactTrait ? 0 : 0.15) + (isOtherSide && !isContra ? 0.2 : 0) + (isCatchAll ? 0.1 : 0);
}

function catchAll(trait: string, liquidity: string | null, catalogue: LibraryCatalogue): LibraryElementRow | undefined {
  const rows = catalogue.frameworks.gaap.catchAlls.filter((row) => row.trait === trait);
  const row =
    rows.find((candidate) => candidate.liquidity === liquidity) ??
    rows.find((candidate) => candidate.liquidity === null);
  return row === undefined ? undefined : catalogue.elementByQname(row.concept);
}
