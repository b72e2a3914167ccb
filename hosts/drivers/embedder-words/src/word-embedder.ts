import { readFile } from 'node:fs/promises';
import { type Embedder, EmbeddingError, maxEmbeddedTexts, Turns } from '@pacioli/core/ports';
import { type Lexicon, maxTermWords, readLexicon } from './lexicon.ts';
import { addUnknownWord } from './unknown-words.ts';
import { addWord, readWordTable, type WordTable } from './word-table.ts';
import { partsOf, wordsOf } from './words-of-text.ts';

/** Changes with the table, the lexicon or the computation, so that stored vectors are made again (ai-surface SR-13). */
const id = 'words-100d-1';
const dimensions = 100;

interface Model {
  readonly table: WordTable;
  readonly lexicon: Lexicon;
}

/**
 * The built-in embedder (ai-surface 2.5): the vector of a text is the average of its words' vectors, weighted by how
 * rare the words are. The same text has the same vector on every machine, and nothing leaves the host. Reads its table
 * on first use.
 */
export function wordEmbedder(): Embedder {
  let opening: Promise<Model> | undefined;
  // Shared by all calls: each of many calls with a few short texts ends before its own turn would be over.
  const turns = new Turns();
  return {
    id,
    dimensions,
    embed: async (texts, _kind, { signal }) => {
      if (texts.length > maxEmbeddedTexts)
        throw new EmbeddingError(`One call embeds at most ${maxEmbeddedTexts} texts, not ${texts.length}.`);
      opening ??= openModel();
      const model = await opening;
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal.throwIfAborted();
        vectors.push(await vectorOf(text, model, { turns, signal }));
      }
      signal.throwIfAborted();
      return vectors;
    },
  };
}

async function openModel(): Promise<Model> {
  const [bytes, lexicon] = await Promise.all([
    readFile(new URL('./words.bin', import.meta.url)),
    readFile(new URL('./finance-lexicon.txt', import.meta.url), 'utf8'),
  ]);
  return { table: await readWordTable(bytes), lexicon: readLexicon(lexicon) };
}

async function vectorOf(
  text: string,
  model: Model,
  { turns, signal }: { readonly turns: Turns; readonly signal: AbortSignal },
): Promise<Float32Array> {
  const sum = new Float64Array(model.table.dimensions);
  const words = wordsOf(text);
  for (let at = 0; at < words.length; ) {
    at += addTerm(sum, model, words, at);
    if (!turns.isOver) continue;
    await turns.next();
    signal.throwIfAborted();
  }
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? new Float32Array(sum.length) : Float32Array.from(sum, (value) => value / length);
}

/** Adds the longest term of the lexicon that begins at a word, or else the word; returns the number of words added. */
function addTerm(sum: Float64Array, model: Model, words: readonly string[], at: number): number {
  const { terms, firstWords } = model.lexicon;
  const word = words[at] ?? '';
  for (let count = firstWords.has(word) ? maxTermWords : 1; count > 0; count -= 1) {
    const term = count === 1 ? word : words.slice(at, at + count).join(' ');
    const meaning = terms.get(term);
    if (meaning === undefined) continue;
    for (const each of meaning) addWordOrParts(sum, model, each);
    return count;
  }
  addWordOrParts(sum, model, word);
  return 1;
}

/** Adds a word that the table has or that has no inner signs, else its parts. */
function addWordOrParts(sum: Float64Array, model: Model, word: string): void {
  const parts = model.table.rows.has(word) ? [word] : partsOf(word);
  if (parts.length < 2) {
    addWordOrGrams(sum, model.table, word);
    return;
  }
  for (const part of parts) {
    const meaning = model.lexicon.terms.get(part) ?? [part];
    for (const each of meaning) addWordOrGrams(sum, model.table, each);
  }
}

function addWordOrGrams(sum: Float64Array, table: WordTable, word: string): void {
  const row = table.rows.get(word);
  if (row === undefined) addUnknownWord(sum, word);
  else addWord(sum, table, row);
}
