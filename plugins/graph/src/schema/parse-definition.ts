import { parseDocument } from 'yaml';

export type ParsedDefinition =
  | { readonly ok: true; readonly definition: unknown }
  | { readonly ok: false; readonly message: string };

const maxTextBytes = 512 * 1024;
/** A few aliases that refer to each other can stand for billions of values. */
const maxAliases = 100;

/** Reads a definition that was sent as an object, or as text in JSON or YAML, of which JSON is a part. */
export function parseDefinition(given: unknown): ParsedDefinition {
  if (typeof given !== 'string') return { ok: true, definition: given };
  if (Buffer.byteLength(given) > maxTextBytes)
    return { ok: false, message: `The text has more than ${maxTextBytes} bytes.` };
  const document = parseDocument(given, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, message: `The text cannot be parsed: ${error.message}` };
  try {
    return { ok: true, definition: document.toJS({ maxAliasCount: maxAliases }) };
  } catch (problem) {
    // Too many aliases, or one that refers to nothing.
    return {
      ok: false,
      message: `The text cannot be parsed: ${problem instanceof Error ? problem.message : 'unknown'}`,
    };
  }
}
