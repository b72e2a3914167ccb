import type { Question } from './operator.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

const graphWords = ['cypher', 'query', 'graph', 'node', 'relationship'];
const readWords = ['show', 'find', 'get', 'list', 'count', 'search'];
const questionWords = ['what', 'how', 'where', 'when', 'who'];

/** The score of the analyst for a question, from 0.7 to 1 (ai-surface OP-21). */
export function analystScore({ query }: Question): number {
  const words = wordsOf(query);
  const hasAny = (list: readonly string[]): boolean => list.some((word) => words.has(word));
  if (hasAny(graphWords)) return 1;
  if (hasAny(readWords)) return 0.9;
  return query.includes('?') || hasAny(questionWords) ? 0.8 : 0.7;
}

const mappingSubjects = ['account', 'accounts', 'chart', 'taxonomy'];

/** The score of the mapping of accounts for a question: 0.95, or 0.1 if it does not fit (ai-surface OP-21). */
export function mappingScore({ query, mode }: Question): number {
  const words = wordsOf(query);
  const isMapping = words.has('map') && mappingSubjects.some((word) => words.has(word));
  return isMapping && mode === 'extended' ? 0.95 : 0.1;
}
