import { wordsOf } from '../values/index.ts';
import { type Abbreviation, traitsCompatibleWith } from '../vocabulary/index.ts';

/** Reads the name of an account as words, with short forms written out. */
export type AccountWords = (name: string, trait: string | null) => readonly string[];

/**
 * Bookkeepers write short (`A/R`, `Depr Exp`), the framework does not. Short forms are written out, the longest first,
 * and numbers of bank accounts, years and cards are left out, unless they are known words (`401k`, `1099`).
 */
export function createAccountWords(abbreviations: readonly Abbreviation[], known: ReadonlySet<string>): AccountWords {
  const rows = [...abbreviations].sort((a, b) => b.short.length - a.short.length);
  return (name, trait) => {
    const words = wordsOf(name);
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
