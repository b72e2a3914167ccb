/** A person reads at most so many values before a call (ai-surface M-20d, ai-surface OP-62). */
export const maxShownValues = 100;
const maxShownCharacters = 500;
const maxNameCharacters = 200;

/** Characters that could hide or reorder text around them. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Lists every value of the arguments in a line with its name, such as `payload.id: "blk_1"`. Long values are shortened
 * one by one, with a mark, and short ones come first, so that no value can hide another. Undefined if a person could
 * not read them all.
 */
export function shownArguments(given: unknown): string | undefined {
  const lines: string[] = [];
  const waiting: { readonly name: string; readonly value: unknown }[] = [{ name: '', value: given ?? {} }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { name, value } = next;
    const parts = partsOf(value);
    if (parts.length + waiting.length + lines.length > maxShownValues || name.length > maxNameCharacters)
      return undefined;
    if (parts.length > 0) waiting.push(...parts.map(([key, part]) => ({ name: joined(name, key), value: part })));
    else if (name !== '') lines.push(`${name}: ${shownValue(value)}`);
  }
  return lines.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).join('\n');
}

/** The parts of an object or a list; none for a plain value and for an empty one. */
function partsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function joined(name: string, key: string): string {
  const part = /^[\w-]+$/.test(key) ? key : visible(JSON.stringify(key));
  return name === '' ? part : `${name}.${part}`;
}

function shownValue(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const characters = [...value];
  const start = visible(JSON.stringify(characters.slice(0, maxShownCharacters).join('')));
  if (characters.length <= maxShownCharacters) return start;
  return `${start}… (${characters.length.toLocaleString('en-US')} characters)`;
}

function visible(text: string): string {
  return text.replaceAll(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
