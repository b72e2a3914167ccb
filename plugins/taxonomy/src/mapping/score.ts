import type { Candidate } from '../checks/index.ts';
import type { LibraryCatalog, LibraryElementRow } from '../library/index.ts';
import { groupBy, tellingWords } from '../values/index.ts';
import { balanceTypeOfTrait } from '../vocabulary/index.ts';

/** The weights of taxonomy AM-14; the weight of an absent feature is spread over the others. */
const weights = { words: 0.45, synonym: 0.25, embedding: 0.15, path: 0.1, prior: 0.05 } as const;

/** 0 to 1 each; undefined when the feature is absent. */
export interface Features {
  readonly words: number;
  readonly synonym: number;
  readonly embedding: number | undefined;
  readonly path: number | undefined;
  readonly prior: number;
}

/** The weighted mean of the present features. */
export function weigh(features: Features): number {
  const keys = ['words', 'synonym', 'embedding', 'path', 'prior'] as const;
  let [sum, weight] = [0, 0];
  for (const key of keys) {
    const value = features[key];
    if (value === undefined) continue;
    sum += weights[key] * value;
    weight += weights[key];
  }
  return sum / weight;
}

export interface ScoredAccount {
  readonly balanceType: string;
  readonly isContra: boolean;
}

/** Penalties that apply to a candidate regardless of its name (taxonomy AM-14). */
export function penalties(account: ScoredAccount, { element, isExactTrait }: Candidate): number {
  const isContraConcept = element.trait?.startsWith('contra') === true;
  const isOtherSide = element.balanceType !== null && element.balanceType !== account.balanceType;
  const isCatchAll = element.name.startsWith('Other');
  // A contra concept has the opposite side by nature; it is wrong only for an account that is not a contra account.
  const isWrongSide = isContraConcept ? !account.isContra : isOtherSide;
  return (isExactTrait ? 0 : 0.15) + (isWrongSide ? 0.2 : 0) + (isCatchAll ? 0.1 : 0);
}

/** The confidence of a score with its lead over the next one: 0 to 0.99, two decimals. */
export function calibrated(score: number, lead: number): number {
  const confidence = 0.5 + (score - 0.35) * 0.9 + Math.min(0.15, lead);
  return Math.round(Math.min(0.99, Math.max(0, confidence)) * 100) / 100;
}

/** True for a contra account, by its words or by its balance side (taxonomy AM-14). */
export function isContraAccount(words: readonly string[], trait: string, balanceType: string): boolean {
  return isContraName(words) || balanceTypeOfTrait(trait) !== balanceType;
}

const contraWords = new Set(['accumulated', 'allowance', 'contra', 'less', 'treasury', 'drawing', 'draw']);

/** True when the words name a reduction. */
export function isContraName(words: readonly string[]): boolean {
  return words.some((word, index) => contraWords.has(word) || (word === 'discount' && words[index + 1] === 'on'));
}

/** Candidates with the words of their names. */
export interface Slate {
  readonly entries: readonly { readonly candidate: Candidate; readonly names: readonly ReadonlySet<string>[] }[];
  readonly qnames: ReadonlySet<string>;
  /** The weight of each word: the rarer it is among these candidates, the higher (inverse document frequency). */
  readonly idf: ReadonlyMap<string, number>;
}

/** Prepares candidates for scoring many accounts: each has the words of its label and of its local name. */
export function slateOf(candidates: readonly Candidate[]): Slate {
  const entries = candidates.map((candidate) => {
    const { name, qname } = candidate.element;
    return { candidate, names: [tellingWords(name), tellingWords(qname.slice(qname.indexOf(':') + 1))] };
  });
  const counts = new Map<string, number>();
  for (const { names } of entries) {
    for (const word of new Set(names.flatMap((name) => [...name]))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const qnames = new Set(candidates.map(({ element }) => element.qname));
  return {
    entries,
    qnames,
    idf: new Map([...counts].map(([word, count]) => [word, Math.log(1 + entries.length / count)])),
  };
}

/**
 * The best weighted F1 between the words of the account and any name of the candidate: 1 for equal words, 0 for none in
 * common.
 */
export function wordsScore(own: ReadonlySet<string>, names: readonly ReadonlySet<string>[], idf: Slate['idf']): number {
  return Math.max(0, ...names.map((name) => overlap(own, name, idf)));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>, idf: ReadonlyMap<string, number>): number {
  const weighed = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + (idf.get(word) ?? 1), 0);
  const shared = weighed([...a].filter((word) => b.has(word)));
  return shared === 0 ? 0 : (2 * shared) / (weighed(a) + weighed(b));
}

/**
 * Scores a concept by the one that the parent account is mapped to (taxonomy AM-14): 1 for the same concept or one
 * under the same total, 0.5 in the same section, 0 otherwise. A section has one trait and one liquidity.
 */
export function createPaths(catalog: LibraryCatalog): (parentId: string, concept: LibraryElementRow) => number {
  const totals = groupBy(catalog.frameworks.gaap.calculation, ({ item }) => item);
  const totalsOf = (qname: string) => new Set((totals.get(qname) ?? []).map(({ total }) => total));
  return (parentId, concept) => {
    const parent = catalog.elementById(parentId);
    if (parent === undefined) return 0;
    if (parent.qname === concept.qname) return 1;
    const ofParent = totalsOf(parent.qname);
    if ([...totalsOf(concept.qname)].some((total) => ofParent.has(total))) return 1;
    return parent.trait === concept.trait && parent.liquidity === concept.liquidity ? 0.5 : 0;
  };
}
