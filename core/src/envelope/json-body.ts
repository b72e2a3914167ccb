import { validationFailure } from '../errors/to-wire.ts';

/** How deep lists and objects of a body may be nested; nothing of ours comes near it. */
const maxNesting = 100;

/** The longest malformed body that is searched for the place of its error, in characters: the search parses it again. */
const maxSearchedChars = 65_536;

export interface ParseOptions {
  /** Whole numbers beyond ±(2^53−1) become bigint, as JavaScript's numbers would round them. */
  readonly exactIntegers?: boolean;
}

type Place = readonly (string | number)[];

/** The value of a JSON body. What is malformed, or holds what cannot be kept, is an issue at its place (platform E-6). */
export function parseBody(text: string, { exactIntegers = false }: ParseOptions = {}): unknown {
  if (nestingOf(text) > maxNesting) {
    throw validationFailure([{ loc: ['body'], msg: `Nested deeper than ${maxNesting} levels`, type: 'json_invalid' }]);
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw validationFailure([{ loc: ['body', offsetOf(text, error)], msg: 'JSON decode error', type: 'json_invalid' }]);
  }
  requireStorable(text, body);
  return exactIntegers && longInteger.test(text) ? withExactIntegers(text) : body;
}

/** Sixteen digits: below them a whole number is within ±(2^53−1). */
const longInteger = /\d{16}/;

/** The texts and the numbers of a JSON text; a text is matched so that digits in it are not taken for a number. */
const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads a valid JSON text again, with whole numbers beyond ±(2^53−1) as bigint. They travel through the parser as texts
 * with a sign in front that no text of a body may have.
 */
function withExactIntegers(text: string): unknown {
  const marked = text.replaceAll(textsAndNumbers, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"\\u0000${token}"` : token,
  );
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith('\0') ? BigInt(value.slice(1)) : value,
  );
}

/**
 * Refuses texts and numbers that would be kept as something else. Few bodies are looked at value by value: only an escape
 * can bring such a text in, as everything else was decoded from UTF-8, and only a long number is no double.
 */
function requireStorable(text: string, body: unknown): void {
  if (!text.includes('\\u') && !longNumber.test(text)) return;
  const found = unstorable(body, ['body']);
  if (found !== undefined) throw validationFailure([{ loc: found.place, msg: found.reason, type: 'value_error' }]);
}

/** A hundred or more as an exponent, or 200 digits: below both, a number is less than 1e300 and a double holds it. */
const longNumber = /\d[eE]\+?\d{3}|(?<!\d)\d{200}/;

interface Unstorable {
  readonly place: Place;
  readonly reason: string;
}

const badText = 'Has a character that cannot be stored: U+0000 or half of a surrogate pair';
const badNumber = 'Is beyond the range of numbers, about 1.8e308. Send it as text';

/** Where a value has a text or a number that no store keeps, if it has one. Its nesting is bounded by `maxNesting`. */
function unstorable(value: unknown, place: Place): Unstorable | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { place, reason: badText };
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { place, reason: badNumber };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, field] of Object.entries(value)) {
    if (!isStorable(name)) return { place, reason: badText };
    const found = unstorable(field, [...place, Array.isArray(value) ? Number(name) : name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** The offset of the first character with which a text is no JSON any more; its length when it only ends too early. */
function offsetOf(text: string, error: unknown): number {
  const told = positionIn(error);
  if (told !== undefined) return told;
  // The engine tells no position of a token that it did not expect; the shortest beginning that is wrong ends with it.
  if (text.length > maxSearchedChars) return text.length;
  let sound = 0;
  let wrong = text.length + 1;
  while (wrong - sound > 1) {
    const middle = Math.floor((sound + wrong) / 2);
    if (isWrong(text.slice(0, middle))) wrong = middle;
    else sound = middle;
  }
  return wrong - 1;
}

/** Whether a text is no beginning of JSON either. */
function isWrong(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return false;
  } catch (error) {
    if (String(error).endsWith('Unexpected end of JSON input')) return false;
    const position = positionIn(error);
    return position === undefined || position < beginning.length;
  }
}

/** The place that the engine tells at the end of its message; what comes before may quote the body. */
function positionIn(error: unknown): number | undefined {
  const digits = /JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(String(error))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The deepest nesting of lists and objects in a JSON text, brackets inside strings left out; one pass, no recursion. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isInString && sign === '\\') at += 1;
    else if (sign === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}
