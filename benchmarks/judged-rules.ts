/**
 * A retrieval set that this repository contains: each test title that cites a rule of `docs/spec` is a question, and the
 * cited rules are its answers. Titles were written to be read, without search in mind.
 */
import { join } from 'node:path';
import { citationsIn, resolve } from '../scripts/rules-citations.ts';
import { homeOf, isTest, sourceFiles } from '../scripts/rules-files.ts';
import { readDocument } from '../scripts/rules-spec.ts';

export interface JudgedQuery {
  readonly text: string;
  /** Ids of the passages that answer it. */
  readonly relevant: ReadonlySet<string>;
}

export interface Passage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface JudgedSet {
  readonly passages: readonly Passage[];
  readonly queries: readonly JudgedQuery[];
}

const title = /\bit(?:\.each\([^`]*?\)|\.[a-z]+)?\(\s*'((?:[^'\\\n]|\\.)+)'/g;
const leastWords = 5;

export function judgedRules(): JudgedSet {
  const files = sourceFiles(join(import.meta.dirname, '..'));
  const documents = files.flatMap(({ path, text }) => {
    const name = /^docs\/spec\/(.+)\.md$/.exec(path)?.[1];
    return name === undefined ? [] : [readDocument(name, text)];
  });
  const passages = documents.flatMap((document) =>
    document.rules.map(({ id, text }) => ({ id: `${document.name}_${id}`, title: document.title, text })),
  );
  const known = new Set(passages.map(({ id }) => id));
  const names = documents.map(({ name }) => name);
  const queries = files
    .filter(({ path }) => isTest(path))
    .flatMap(({ path, text }) => Array.from(text.matchAll(title), ([, words = '']) => ({ path, words })))
    .flatMap(({ path, words }) => {
      const targets = citationsIn(words, names).flatMap((citation) => {
        const resolved = resolve(citation, homeOf(path), documents);
        return resolved === undefined || 'problem' in resolved
          ? []
          : resolved.targets.map((target) => `${resolved.document}_${target}`);
      });
      const relevant = new Set(targets.filter((id) => known.has(id)));
      // Without the citation, which would give the answer away.
      const question = words.replaceAll(/\s*\([^)]*\)/g, '').replaceAll(/%[sjo]/g, '');
      return relevant.size === 0 || question.split(' ').length < leastWords ? [] : [{ text: question, relevant }];
    });
  return { passages, queries };
}
