const maxEmailCharacters = 254;
const maxNameCharacters = 100;

/** Normalizes an email address: trimmed and lowercase; undefined if it is not an address (platform A-13). */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  if (email.length > maxEmailCharacters) return undefined;
  return /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/.test(email) && !hasControlCharacter(email) ? email : undefined;
}

/** Removes control characters and markup; undefined if the rest is empty or too long (platform A-13). */
export function normalName(text: string): string | undefined {
  if (text.length > 10 * maxNameCharacters) return undefined;
  const name = [...text]
    .filter((character) => !hasControlCharacter(character))
    .join('')
    .replace(/<[^<>]*>/g, '')
    .trim();
  return name === '' || [...name].length > maxNameCharacters ? undefined : name;
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
