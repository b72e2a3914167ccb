import { validationFailure } from '../errors/to-wire.ts';

/** The maximum nesting of lists and objects in a body, well above that of any schema. */
const maxNesting = 100;

/** Longer malformed bodies are not searched for the position of the error: the search parses repeatedly. */
const maxSearchedChars = 65_536;

export interface ParseOptions {
  /** Parses whole numbers beyond ±(2^53−1) as bigint, because a double would round them. */
  readonly exactIntegers?: boolean;
}

type Place = readonly (string | number)[];

/** Parses a JSON body. Malformed JSON and values that cannot be stored are issues with a location (platform E-6). */
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

/** Sixteen digits: a whole number with fewer is within ±(2^53−1). */
const longInteger = /\d{16}/;

/** The strings and numbers of a JSON text; strings are matched so that digits in them are not read as numbers. */
const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses a valid JSON text again, with whole numbers beyond ±(2^53−1) as bigint. They pass through the parser as
 * strings with a prefix that no string of a body may contain.
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
 * Refuses strings and numbers that cannot be stored unchanged. Few bodies need the walk: only an escape can introduce
 * such a string, as everything else was decoded from UTF-8, and only a long number can exceed a double.
 */
function requireStorable(text: string, body: unknown): void {
  if (!text.includes('\\u') && !longNumber.test(text)) return;
  const found = unstorable(body, ['body']);
  if (found !== undefined) throw validationFailure([{ loc: found.place, msg: found.reason, type: 'value_error' }]);
}

/** An exponent of 100 or more, or 200 digits: any other number is below 1e300 and fits a double. */
const longNumber = /\d[eE]\+?\d{3}|(?<!\d)\d{200}/;

interface Unstorable {
  readonly place: Place;
  readonly reason: string;
}

const badText = 'Contains a character that cannot be stored: U+0000 or an unpaired surrogate';
const badNumber = 'Exceeds the range of a double, about 1.8e308. Send it as text';

/** Finds a string or number that cannot be stored, if there is one. The recursion is bounded by `maxNesting`. */
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

/** Returns the offset of the first character that is not JSON, or the length of a text that is only incomplete. */
function offsetOf(text: string, error: unknown): number {
  const position = positionIn(error);
  if (position !== undefined) return position;
  // V8 gives no position for an unexpected token; the shortest invalid prefix ends with it.
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

/** True if no JSON text starts with this prefix. */
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

/** Reads the position at the end of V8's message; the text before it may quote the body. */
function positionIn(error: unknown): number | undefined {
  const digits = /JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(String(error))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Measures the nesting of lists and objects, ignoring brackets inside strings; one pass without recursion. */
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
