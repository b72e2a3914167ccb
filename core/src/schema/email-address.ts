const maxEmailCharacters = 254;

/** Normalizes an email address: trimmed and lowercase; undefined if it is not an address (platform A-13). */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  if (email.length > maxEmailCharacters) return undefined;
  return /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/.test(email) && !/\p{Cc}/u.test(email) ? email : undefined;
}
