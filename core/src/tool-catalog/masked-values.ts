import { isSensitiveName } from '../schema/sensitive-names.ts';

/** Stands for the characters of a sensitive value that are not shown. */
const hidden = '…';
const shownCharacters = 4;

/** Masks texts and numbers to their last four characters, also those in lists and objects (ai-surface PX-10). */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value === 'object' && value !== null && !(value instanceof Date))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, masked(part)]));
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return value;
  const text = String(value);
  return text.length <= shownCharacters ? text : `${hidden}${text.slice(-shownCharacters)}`;
}

/**
 * The path of the first argument that has the form of a masked value, in a sensitive field; storing it would overwrite
 * the true value.
 */
export function maskedPath(value: unknown, isSensitive = false): readonly (string | number)[] | undefined {
  if (typeof value === 'string') return isSensitive && isMask(value) ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const rest = maskedPath(part, isSensitive || isSensitiveName(name));
    if (rest !== undefined) return [Array.isArray(value) ? Number(name) : name, ...rest];
  }
  return undefined;
}

const isMask = (text: string): boolean => text.startsWith(hidden) && text.length === hidden.length + shownCharacters;
