/** The length of the vector of an unknown word: an eighth of the usual one, so that known words decide. */
const length = 0.6;

/** The number of positions of a vector that one 3-gram changes. */
const positionsPerGram = 4;

/** Adds a vector made of the character 3-grams of a word outside the table, so that equal names and codes are near. */
export function addUnknownWord(sum: Float64Array, word: string): void {
  const own = new Int16Array(sum.length);
  const marked = `<${word}>`;
  for (let start = 0; start + 3 <= marked.length; start += 1) {
    let hash = fnv1a(marked, start);
    for (let count = 0; count < positionsPerGram; count += 1) {
      const position = (hash & 0x7f) % own.length;
      own[position] = (own[position] ?? 0) + ((hash & 0x80) === 0 ? 1 : -1);
      hash >>>= 8;
    }
  }
  let squares = 0;
  for (let index = 0; index < own.length; index += 1) squares += (own[index] ?? 0) ** 2;
  const factor = length / (Math.sqrt(squares) || 1);
  for (let index = 0; index < own.length; index += 1) sum[index] = (sum[index] ?? 0) + factor * (own[index] ?? 0);
}

/** FNV-1a of 32 bits over three characters. */
function fnv1a(text: string, start: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < start + 3; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
