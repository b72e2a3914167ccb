import { WorkerFailure } from './failure.ts';

const maxShownCharacters = 100;

/** Shows the characters that no one sees as their escapes. */
export const visible = (text: string): string => text.replaceAll('\0', '\\u0000').replaceAll('\uFEFF', '\\uFEFF');

/** Refuses names that are cut at U+0000, or taken for those without the byte order mark (graphs T-6, F-7). */
export function requirePlainNames(names: readonly string[], format: string): void {
  for (const [index, name] of names.entries()) {
    const fault = name.includes('\0')
      ? 'has the character U+0000'
      : name.startsWith('\uFEFF')
        ? 'begins with the character U+FEFF'
        : undefined;
    if (fault === undefined) continue;
    const shown = visible(name.slice(0, maxShownCharacters));
    throw new WorkerFailure(
      'unreadable-file',
      `The file cannot be read as ${format}. The name of column ${index + 1}, "${shown}", ${fault}: rename it.`,
    );
  }
}
