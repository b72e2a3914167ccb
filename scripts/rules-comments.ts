/** Finds comments that are only a citation, which explain neither what happens nor why. */
import { citationsIn } from './rules-citations.ts';
import { ruleId, sectionNumber } from './rules-spec.ts';

interface Comment {
  readonly line: number;
  readonly text: string;
}

const slashes = /\/\*[\s\S]*?\*\/|(?:(?:^|(?<=\s))\/\/.*(?:\n[ \t]*(?=\/\/))?)+/gm;
const dashes = /(?:(?:^|(?<=\s))--.*(?:\n[ \t]*(?=--))?)+/gm;
const hashes = /(?:(?:^|(?<=\s))#.*(?:\n[ \t]*(?=#))?)+/gm;

/** Words that introduce a citation without explaining it. */
const leadingWords =
  /\b(?:according|also|and|as|by|cf|checks?|examples?|from|in|of|or|per|rules?|sections?|see|spec|the|through|to)\b/gi;

/** The lines of comments that consist of citations only. */
export function bareComments(path: string, text: string, documents: readonly string[]): readonly number[] {
  return commentsIn(path, text)
    .filter((comment) => citationsIn(comment.text, documents).length > 0 && !explains(comment.text, documents))
    .map((comment) => comment.line);
}

function explains(comment: string, documents: readonly string[]): boolean {
  const rest = comment
    .replace(new RegExp(`\\b${ruleId}\\b`, 'g'), ' ')
    .replace(new RegExp(`\\b(?:${documents.join('|')})\\b`, 'gi'), ' ')
    .replace(new RegExp(`\\b${sectionNumber}\\b`, 'g'), ' ')
    .replace(leadingWords, ' ');
  return /[A-Za-z]{2}/.test(rest);
}

function commentsIn(path: string, text: string): readonly Comment[] {
  const pattern = patternFor(path);
  if (pattern === undefined) return [];
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    text: match[0],
  }));
}

function patternFor(path: string): RegExp | undefined {
  if (/\.(?:ts|mts|mjs|cjs|js|css)$/.test(path)) return slashes;
  if (path.endsWith('.sql')) return dashes;
  if (/\.(?:py|ya?ml)$|\/run$/.test(path)) return hashes;
  return undefined;
}
