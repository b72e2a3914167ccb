import type { Issue } from '../errors/kinds.ts';

export const maxNameCharacters = 255;
const maxTagCharacters = 50;
const maxTags = 10;

type Problem = Pick<Issue, 'msg' | 'type'>;

/** The problem of a graph's name, already trimmed (graphs G-6), or undefined. */
export function problemOfName(name: string): Problem | undefined {
  if (name === '') return { msg: 'Must not be blank', type: 'string_too_short' };
  if (name.length <= maxNameCharacters) return undefined;
  return { msg: `Must have at most ${maxNameCharacters} characters`, type: 'string_too_long' };
}

/** The tags as they are stored: trimmed, each once, in their order (graphs G-22, G-52). */
export function normalizedTags(given: readonly string[]): readonly string[] {
  return [...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
}

/** The problems of normalized tags (graphs G-22, G-52). */
export function problemsOfTags(tags: readonly string[]): readonly Problem[] {
  return [
    ...(tags.length > maxTags ? [{ msg: `Must have at most ${maxTags} tags`, type: 'too_long' }] : []),
    ...(tags.some((tag) => tag.length > maxTagCharacters)
      ? [{ msg: `A tag has at most ${maxTagCharacters} characters`, type: 'string_too_long' }]
      : []),
  ];
}
