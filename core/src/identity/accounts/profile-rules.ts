const maxNameCharacters = 100;

/** Removes control characters and markup; undefined if the rest is empty or too long (platform A-13). */
export function normalName(text: string): string | undefined {
  if (text.length > 10 * maxNameCharacters) return undefined;
  const name = [...text]
    .filter((character) => !/\p{Cc}/u.test(character))
    .join('')
    .replace(/<[^<>]*>/g, '')
    .trim();
  return name === '' || [...name].length > maxNameCharacters ? undefined : name;
}
