/** Counts Unicode code points, as the database and the wire do; a string counts some of them as two. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _each of text) count += 1;
  return count;
}
