const maxLetters = 5;
const fallback = 'ENT';

/** Words that say how a company is organised or join others, and not which company it is. */
const fillerWords = new Set([
  ...'a an and co company corp corporation for gmbh group holding holdings inc incorporated'.split(' '),
  ...'limited llc llp lp ltd of plc the'.split(' '),
]);

/** A label from a company's name: initials of its words, or the start of the only one (graphs G-24). */
export function tickerOf(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/[^A-Za-z\s-]/g, '')
    .split(/[\s-]+/)
    .filter((word) => word !== '' && !fillerWords.has(word.toLowerCase()));
  const letters = words.length === 1 ? (words[0] ?? '') : words.map((word) => word.charAt(0)).join('');
  return letters.slice(0, maxLetters).toUpperCase() || fallback;
}
