import { type Candidate, mappingCandidates, targetProblem } from '../checks/index.ts';
import type { LibraryCatalogue, LibraryElementRow } from '../library/index.ts';
import { withoutStopWords } from '../values/index.ts';
import { createAccountWords } from './account-words.ts';
import { inferTrait } from './infer-trait.ts';
import { createPaths } from './mapping-paths.ts';
import {
  calibrated,
  isContraAccount,
  isContraName,
  penalties,
  type Slate,
  slateOf,
  weigh,
  wordsScore,
} from './score.ts';
import { createSynonyms, type SynonymHit } from './synonyms.ts';

export interface UnmappedAccount {
  readonly code?: string | null;
  readonly name: string;
  readonly subClassification?: string | null;
  readonly parentName: string | null;
  readonly parentTrait?: string | null;
  /** The concept that the parent is mapped to. */
  readonly parentConceptId?: string | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly balanceType: string;
}

export interface Suggestion {
  readonly element: LibraryElementRow;
  /** 0 to 0.99, two decimals: 0.90 and more is high, 0.70 and more is medium (taxonomy T-18). */
  readonly confidence: number;
  /** The catch-all of the section: for a person to accept, never written by itself (taxonomy AM-15). */
  readonly isFallback: boolean;
}

/** What is known of an account for choosing its concepts. */
export interface Classified {
  readonly trait: string;
  /** 1 for a trait that the account has; less for an inferred one. */
  readonly confidence: number;
}

/** How near two names are in meaning, 0 to 1; for a host that has an embedder (taxonomy AM-17). */
export type NameSimilarity = (account: UnmappedAccount, concept: LibraryElementRow) => number;

export interface Suggester {
  /** The account's own trait, or one inferred from its parent and name; undefined leaves it unclassified (AM-16). */
  classify(account: UnmappedAccount): Classified | undefined;
  /** The concepts that an account of this trait may have (taxonomy AM-5, M-12). */
  candidates(account: UnmappedAccount, trait: string): readonly Candidate[];
  /** Up to three, best first; the catch-all of the section stands first when nothing is good (taxonomy AM-15). */
  suggest(account: UnmappedAccount): readonly Suggestion[];
}

const maxSuggestions = 3;
const exactConfidence = 0.93;
/** For a row that is alone but leaves much of the name unexplained: a person looks at it. */
const uniqueConfidence = 0.8;
const fallbackConfidence = 0.4;
/** Synonyms of this base score name one thing, such as depreciation or stock compensation. */
const specificScore = 0.95;
const leastShown = 0.3;
const leastMapped = 0.7;

/** Suggests reporting concepts for accounts; holds what it prepared per slate, so use one for a list of accounts. */
export function createSuggester(
  catalogue: LibraryCatalogue,
  { similarity, excludedIds }: { readonly similarity?: NameSimilarity; readonly excludedIds?: readonly string[] } = {},
): Suggester {
  const hidden = new Set(excludedIds);
  const { gaap } = catalogue.frameworks;
  const synonyms = createSynonyms(gaap.synonyms);
  const accountWords = createAccountWords(gaap.abbreviations, synonyms.words);
  const priors = new Map(gaap.priors.map(({ concept, share }) => [concept, share]));
  const pathScore = createPaths(catalogue);
  const slates = new Map<string, Slate>();
  const slateFor = (account: UnmappedAccount, trait: string) => {
    const key = `${trait} ${account.liquidity}`;
    const slate =
      slates.get(key) ??
      slateOf(candidatesOf(catalogue, account, trait).filter(({ element }) => !hidden.has(element.id)));
    slates.set(key, slate);
    return slate;
  };
  const rank = (account: UnmappedAccount, trait: string): readonly Ranked[] => {
    const own = accountWords(account.name, trait);
    const isContra = isContraAccount(own, trait, account.balanceType);
    const slate = slateFor(account, trait === 'asset' && isContra ? 'contraAsset' : trait);
    // What a provider calls the account is as good a hint as the name above it (taxonomy T-13).
    const given = accountWords((account.subClassification ?? '').replaceAll('_', ' '), trait);
    const around = [...accountWords(account.parentName ?? '', trait), ...given];
    const hits = synonyms.hits(own, around, { trait, candidates: slate.qnames });
    // An expense that the provider gives to a function is a part of that function's line.
    const fits = { trait, candidates: slate.qnames };
    const stated = trait === 'expense' ? synonyms.hits(given, [], fits) : new Map<string, SynonymHit>();
    const decided = liftTo(exactOf(stated), exactOf(hits), slate);
    const telling = new Set([...withoutStopWords(own)].filter((word) => word !== 'expense' || trait !== 'expense'));
    const parentConcept = account.parentConceptId ?? null;
    const ranked = slate.entries.map(({ candidate, names }) => {
      const { element } = candidate;
      const hit = hits.get(element.qname);
      const score = weigh({
        words: wordsScore(telling, names, slate.idf),
        synonym: hit?.score ?? 0,
        embedding: similarity?.(account, element),
        path: parentConcept === null ? undefined : pathScore(parentConcept, element),
        prior: priors.get(element.qname) ?? 0,
      });
      const against = penalties({ balanceType: account.balanceType, isContra }, candidate);
      const isDecided = element.qname === decided && !isOtherSideOf(account, hit, element);
      return { element, isExact: isDecided, isUnique: hit?.isUnique === true, score: score - against };
    });
    return ranked.sort(byRank);
  };
  const classify = (account: UnmappedAccount): Classified | undefined => {
    if (account.trait !== null) return { trait: account.trait, confidence: 1 };
    const own = accountWords(account.name, null);
    return inferTrait({
      code: account.code ?? null,
      parentTrait: account.parentTrait ?? null,
      synonymTrait: synonyms.traitOf(own),
      balanceType: account.balanceType,
      isContraName: isContraName(own),
    });
  };
  return {
    classify,
    candidates: (account, trait) => slateFor(account, trait).entries.map(({ candidate }) => candidate),
    suggest: (account) => {
      const known = classify(account);
      if (known === undefined) return [];
      const shown = withConfidence(rank(account, known.trait), known.confidence);
      const fallback = catchAll(known.trait, account.liquidity, catalogue);
      return withFallback(shown, fallback === undefined || hidden.has(fallback.id) ? undefined : fallback);
    },
  };
}

interface Decision {
  readonly concept: string;
  readonly score: number;
}

/** What the synonyms decide on. */
function exactOf(hits: ReadonlyMap<string, SynonymHit>): Decision | undefined {
  const [best] = [...hits].filter(([, { isExact }]) => isExact).sort(([, a], [, b]) => b.score - a.score);
  return best === undefined ? undefined : { concept: best[0], score: best[1].score };
}

/** The line that is stated, where what was decided is shown inside it and is not a specific thing by itself. */
function liftTo(stated: Decision | undefined, decided: Decision | undefined, slate: Slate): string | undefined {
  if (stated === undefined || decided === undefined || decided.score >= specificScore) return decided?.concept;
  const found = slate.entries.find(({ candidate }) => candidate.element.qname === decided.concept);
  return found?.candidate.leaf.qname === stated.concept ? stated.concept : decided.concept;
}

interface Ranked {
  readonly element: LibraryElementRow;
  readonly isExact: boolean;
  readonly isUnique: boolean;
  readonly score: number;
}

/**
 * A balance on the other side of its concept, as an allowance has under receivables, is right only where the whole name
 * is known: else a row has read the asset and not the reduction of it.
 */
function isOtherSideOf(account: UnmappedAccount, hit: SynonymHit | undefined, element: LibraryElementRow): boolean {
  const isBalance = element.periodType === 'instant' && element.balanceType !== null;
  return isBalance && element.balanceType !== account.balanceType && hit?.isWholeName !== true;
}

/** Equal scores are told apart by exactness and name, so that equal inputs give equal answers (taxonomy AM-17). */
function byRank(a: Ranked, b: Ranked): number {
  return (
    Number(b.isExact) - Number(a.isExact) ||
    Number(b.isUnique) - Number(a.isUnique) ||
    b.score - a.score ||
    (a.element.qname < b.element.qname ? -1 : 1)
  );
}

/** What the account could not be mapped to is no candidate: an arc of it would be refused (taxonomy 4.2). */
function candidatesOf(catalogue: LibraryCatalogue, account: UnmappedAccount, trait: string): readonly Candidate[] {
  return mappingCandidates(catalogue, { trait, liquidity: account.liquidity }).filter(
    ({ element }) => targetProblem(element, trait, catalogue) === undefined,
  );
}

/** No suggestion is surer than the trait that it rests on. */
function withConfidence(ranked: readonly Ranked[], maxConfidence: number): readonly Suggestion[] {
  const [best, second] = ranked;
  return ranked.slice(0, maxSuggestions).flatMap((entry): readonly Suggestion[] => {
    const lead = entry === best ? Math.max(0, entry.score - (second?.score ?? 0)) : 0;
    const certain = entry !== best ? 0 : entry.isExact ? exactConfidence : entry.isUnique ? uniqueConfidence : 0;
    const confidence = Math.min(maxConfidence, Math.max(certain, calibrated(entry.score, lead)));
    return confidence >= leastShown ? [{ element: entry.element, confidence, isFallback: false }] : [];
  });
}

function withFallback(shown: readonly Suggestion[], fallback: LibraryElementRow | undefined): readonly Suggestion[] {
  if (fallback === undefined || (shown[0]?.confidence ?? 0) >= leastMapped) return shown;
  const others = shown.filter(({ element }) => element !== fallback);
  return [{ element: fallback, confidence: fallbackConfidence, isFallback: true }, ...others].slice(0, maxSuggestions);
}

function catchAll(trait: string, liquidity: string | null, catalogue: LibraryCatalogue): LibraryElementRow | undefined {
  const rows = catalogue.frameworks.gaap.catchAlls.filter((row) => row.trait === trait);
  const row =
    rows.find((candidate) => candidate.liquidity === liquidity) ??
    rows.find((candidate) => candidate.liquidity === null);
  return row === undefined ? undefined : catalogue.elementByQname(row.concept);
}
