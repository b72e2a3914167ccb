import { normalizedWords } from '../values/index.ts';
import { type Abbreviation, traitsCompatibleWith } from '../vocabulary/index.ts';

/** Splits the name of an account into words and expands abbreviations. */
export type AccountWords = (name: string, trait: string | null) => readonly string[];

/**
 * Account names use abbreviations (`A/R`, `Depr Exp`) that the framework does not. They are expanded, longest first,
 * and numbers of bank accounts, years and cards are dropped, except known words (`401k`, `1099`).
 */
export function createAccountWords(abbreviations: readonly Abbreviation[], known: ReadonlySet<string>): AccountWords {
  const rows = [...abbreviations].sort((a, b) => b.short.length - a.short.length);
  return (name, trait) => {
    const words = normalizedWords(name);
    const read: string[] = [];
    for (let index = 0; index < words.length; ) {
      const row = rows.find(({ short, trait: only }) => {
        const fits = only === null || (trait !== null && traitsCompatibleWith(only).has(trait));
        return fits && short.every((word, offset) => words[index + offset] === word);
      });
      read.push(...(row?.words ?? words.slice(index, index + 1)));
      index += row?.short.length ?? 1;
    }
    const telling = read.filter((word) => known.has(word) || !/^x?\d+$/.test(word));
    return telling.length === 0 ? read : telling;
  };
}
