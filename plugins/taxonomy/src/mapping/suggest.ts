import { type Candidate, mappingCandidates, targetProblem } from '../checks/index.ts';
import type { LibraryCatalog, LibraryElementRow } from '../library/index.ts';
import type { UnmappedRow } from '../models/rows.ts';
import { withoutStopWords } from '../values/index.ts';
import { createAccountWords } from './account-name-words.ts';
import { inferTrait } from './infer-trait.ts';
import {
  calibrated,
  createPaths,
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

/** A stored account as the scorer reads it. */
export function unmappedAccount(row: UnmappedRow): UnmappedAccount {
  return {
    code: row.code,
    name: row.name,
    subClassification: row.sub_classification,
    parentName: row.parent_name,
    parentTrait: row.parent_trait,
    parentConceptId: row.parent_concept_id,
    trait: row.trait,
    liquidity: row.liquidity,
    balanceType: row.balance_type,
  };
}

export interface Suggestion {
  readonly element: LibraryElementRow;
  /** 0 to 0.99, two decimals: 0.90 and more is high, 0.70 and more is medium (taxonomy T-18). */
  readonly confidence: number;
  /** The catch-all of the section: offered to users, never written automatically (taxonomy AM-15). */
  readonly isFallback: boolean;
}

/** The trait of an account, with its confidence. */
export interface Classified {
  readonly trait: string;
  /** 1 for a trait that the account has; less for an inferred one. */
  readonly confidence: number;
}

/** The semantic similarity of two names, 0 to 1, for a host with an embedder (taxonomy AM-17). */
export type NameSimilarity = (account: UnmappedAccount, concept: LibraryElementRow) => number;

export interface Suggester {
  /** The account's own trait, or one inferred from its parent and name; undefined leaves it unclassified (AM-16). */
  classify(account: UnmappedAccount): Classified | undefined;
  /** The concepts that an account of this trait may have (taxonomy AM-5, M-12). */
  candidates(account: UnmappedAccount, trait: string): readonly Candidate[];
  /** Up to three, best first; the catch-all of the section comes first when no match is good (taxonomy AM-15). */
  suggest(account: UnmappedAccount): readonly Suggestion[];
}

const maxSuggestions = 3;
const exactConfidence = 0.93;
/** For a unique row that leaves much of the name unexplained: a user reviews it. */
const uniqueConfidence = 0.8;
const fallbackConfidence = 0.4;
/** Synonyms with this base score name one specific thing, such as depreciation or stock compensation. */
const specificScore = 0.95;
const leastShown = 0.3;
const leastMapped = 0.7;

/**
 * Suggests reporting concepts for accounts. It caches prepared candidates, so use one suggester for a list of accounts.
 */
export function createSuggester(
  catalog: LibraryCatalog,
  { similarity, excludedIds }: { readonly similarity?: NameSimilarity; readonly excludedIds?: readonly string[] } = {},
): Suggester {
  const hidden = new Set(excludedIds);
  const { gaap } = catalog.frameworks;
  const synonyms = createSynonyms(gaap.synonyms);
  const accountWords = createAccountWords(gaap.abbreviations, synonyms.words);
  const priors = new Map(gaap.priors.map(({ concept, share }) => [concept, share]));
  const pathScore = createPaths(catalog);
  const slateFor = createSlates(catalog, hidden);
  const rank = (account: UnmappedAccount, trait: string): readonly Ranked[] => {
    const own = accountWords(account.name, trait);
    const isContra = isContraAccount(own, trait, account.balanceType);
    const slate = slateFor(account, trait === 'asset' && isContra ? 'contraAsset' : trait);
    // The provider's classification is as good a hint as the name of the parent (taxonomy T-13).
    const given = accountWords((account.subClassification ?? '').replaceAll('_', ' '), trait);
    const around = [...accountWords(account.parentName ?? '', trait), ...given];
    const hits = synonyms.hits(own, around, { trait, candidates: slate.qnames });
    // An expense that the provider assigns to a function is part of that function's line.
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
      const fallback = catchAll(known.trait, account.liquidity, catalog);
      return withFallback(shown, fallback === undefined || hidden.has(fallback.id) ? undefined : fallback);
    },
  };
}

/** Prepares the candidates of each trait and liquidity once. */
function createSlates(
  catalog: LibraryCatalog,
  hidden: ReadonlySet<string>,
): (account: UnmappedAccount, trait: string) => Slate {
  const slates = new Map<string, Slate>();
  return (account, trait) => {
    const key = `${trait} ${account.liquidity}`;
    const slate =
      slates.get(key) ??
      slateOf(candidatesOf(catalog, account, trait).filter(({ element }) => !hidden.has(element.id)));
    slates.set(key, slate);
    return slate;
  };
}

interface Decision {
  readonly concept: string;
  readonly score: number;
}

/** The concept that the synonyms decide on. */
function exactOf(hits: ReadonlyMap<string, SynonymHit>): Decision | undefined {
  const [best] = [...hits].filter(([, { isExact }]) => isExact).sort(([, a], [, b]) => b.score - a.score);
  return best === undefined ? undefined : { concept: best[0], score: best[1].score };
}

/** The stated line, if the decided concept is shown within it and is not specific. */
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
 * A balance on the opposite side of its concept, such as an allowance under receivables, is correct only when the whole
 * name is known: otherwise a row matched the asset and not its reduction.
 */
function isOtherSideOf(account: UnmappedAccount, hit: SynonymHit | undefined, element: LibraryElementRow): boolean {
  const isBalance = element.periodType === 'instant' && element.balanceType !== null;
  return isBalance && element.balanceType !== account.balanceType && hit?.isWholeName !== true;
}

/** Breaks ties by exactness and name, so that equal inputs give equal results (taxonomy AM-17). */
function byRank(a: Ranked, b: Ranked): number {
  return (
    Number(b.isExact) - Number(a.isExact) ||
    Number(b.isUnique) - Number(a.isUnique) ||
    b.score - a.score ||
    (a.element.qname < b.element.qname ? -1 : 1)
  );
}

/** Excludes concepts that the account could not be mapped to: their arcs would be rejected (taxonomy 4.2). */
function candidatesOf(catalog: LibraryCatalog, account: UnmappedAccount, trait: string): readonly Candidate[] {
  return mappingCandidates(catalog, { trait, liquidity: account.liquidity }).filter(
    ({ element }) => targetProblem(element, trait, catalog) === undefined,
  );
}

/** Limits the confidence of suggestions to that of the trait. */
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

function catchAll(trait: string, liquidity: string | null, catalog: LibraryCatalog): LibraryElementRow | undefined {
  const rows = catalog.frameworks.gaap.catchAlls.filter((row) => row.trait === trait);
  const row =
    rows.find((candidate) => candidate.liquidity === liquidity) ??
    rows.find((candidate) => candidate.liquidity === null);
  return row === undefined ? undefined : catalog.elementByQname(row.concept);
}
