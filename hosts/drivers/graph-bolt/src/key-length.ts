import { GraphStoreError } from '@pacioli/core/ports';

/** The longest text of a key, in UTF-8: its index keeps a key on one page. */
export const maxKeyBytes = 8_164;

/** The server's message about a text that its index does not take; it ends with the table and the property. */
const tooLarge = /^Property value is too large to index[\s\S]*schema=\(:(?<table>.+) \{(?<property>.+)\}\)/;

/** The failure for callers if it is that of a key that is too long. */
export function longKeyFailure(text: string, cause: unknown): GraphStoreError | undefined {
  const { table, property } = tooLarge.exec(text)?.groups ?? {};
  if (table === undefined || property === undefined) return undefined;
  const name = `${table}.${property}`.replaceAll('`', '');
  const message = `Nothing was written, because ${name} is a key, and a key has at most ${maxKeyBytes} bytes of text.`;
  return new GraphStoreError('runtime', message, { cause });
}
