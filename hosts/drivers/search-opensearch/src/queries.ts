import { type IndexFilter, type IndexQuery, leastCosine, queryTerms } from '@pacioli/core/ports';
import { cikKey, directionOf } from './entry-document.ts';
import { termFields } from './mapping.ts';

type Clause = Readonly<Record<string, unknown>>;

/** A query, and the conversion of the server's scores to BM25 or the cosine. */
export interface ScoredQuery {
  readonly query: Clause;
  readonly minScore?: number;
  scoreOf(score: number): number;
}

/** Any of the terms in the best of the fields (ai-surface SR-10); undefined without terms. */
export function textQuery({ text, filter }: IndexQuery): ScoredQuery | undefined {
  const terms = queryTerms(text);
  if (terms.length === 0) return undefined;
  const fields = Object.entries(termFields).map(([name, weight]) => `${name}^${weight}`);
  const match = {
    multi_match: { query: terms.join(' '), fields, type: 'best_fields', operator: 'or', tie_breaker: 0 },
  };
  return { query: { bool: { must: [match], filter: filterClauses(filter) } }, scoreOf: (score) => score };
}

/**
 * The exact cosine, without a plugin or script. A linear decay function is (1 + x) / 2 for the origin 1 and (1 - x) / 2
 * for the origin -1, so weighted by the sizes of the query's numbers q, the functions sum to (Σ|q| + q·x) / 2.
 */
export function vectorQuery({ vector, filter }: IndexQuery): ScoredQuery | undefined {
  const direction = directionOf(vector?.values ?? null);
  if (vector === undefined || direction === undefined) return undefined;
  const functions = direction.flatMap((value, index) => {
    if (value === 0) return [];
    const decay = { [`vector.${index}`]: { origin: Math.sign(value), scale: 1, decay: 0.5 } };
    return [{ linear: decay, weight: Math.abs(value) }];
  });
  const size = direction.reduce((sum, value) => sum + Math.abs(value), 0);
  const candidates = { bool: { filter: [{ term: { nearModel: vector.model } }, ...filterClauses(filter)] } };
  return {
    query: { function_score: { query: candidates, functions, score_mode: 'sum', boost_mode: 'replace' } },
    // Slightly below the least cosine, because scores have 24 bits; `search` compares the exact cosine.
    minScore: (size + leastCosine) / 2 - 1e-5,
    scoreOf: (score) => 2 * score - size,
  };
}

/** The conditions of a filter (ai-surface SR-2). */
function filterClauses(filter: IndexFilter): readonly Clause[] {
  const { entity, formType, section, element, sourceType, fiscalYear, filedFrom, filedTo } = filter;
  const clauses: Clause[] = [];
  if (entity !== undefined) clauses.push(entityClause(entity));
  if (formType !== undefined) clauses.push({ term: { formType: formType.toUpperCase() } });
  if (section !== undefined) clauses.push({ terms: { sectionId: [section, section.toLowerCase()] } });
  if (element !== undefined) clauses.push({ term: { element } });
  if (sourceType !== undefined) clauses.push({ term: { sourceType } });
  if (fiscalYear !== undefined) clauses.push({ term: { fiscalYear } });
  if (filedFrom !== undefined) clauses.push({ range: { filingDate: { gte: filedFrom } } });
  if (filedTo !== undefined) clauses.push({ range: { filingDate: { lte: filedTo } } });
  return clauses;
}

/** Digits match a CIK whatever its leading zeros; other text matches a ticker, or a name that has all of its words. */
function entityClause(entity: string): Clause {
  const name = entity.trim();
  if (/^[0-9]+$/.test(name)) return { term: { cik: cikKey(name) } };
  const ticker = { term: { entityTicker: name.toUpperCase() } };
  const words = queryTerms(name);
  if (words.length === 0) return ticker;
  const named = words.map((word) => ({ term: { 'terms.entity': word } }));
  return { bool: { should: [ticker, { bool: { filter: named } }], minimum_should_match: 1 } };
}
