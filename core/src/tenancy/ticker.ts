const maxLetters = 5;
const fallback = 'ENT';

/** Legal forms and connecting words, which do not identify a company. */
const fillerWords = new Set([
  ...'a an and co company corp corporation for gmbh group holding holdings inc incorporated'.split(' '),
  ...'limited llc llp lp ltd of plc the'.split(' '),
]);

/** Derives a ticker from a company's name: initials of its words, or the start of a single word (graphs G-24). */
export function tickerOf(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/[^A-Za-z\s-]/g, '')
    .split(/[\s-]+/)
    .filter((word) => word !== '' && !fillerWords.has(word.toLowerCase()));
  const letters = words.length === 1 ? (words[0] ?? '') : words.map((word) => word.charAt(0)).join('');
  return letters.slice(0, maxLetters).toUpperCase() || fallback;
}
