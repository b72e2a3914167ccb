import { validationFailure } from '../errors/to-wire.ts';
import { isStorable } from '../store/storable.ts';
import { isKept, isLongInteger, mayHaveInexact, replaceNumbers } from './json-numbers.ts';

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
  // Few bodies need a walk: only an escape can introduce a text that cannot be stored, as the rest was decoded from UTF-8.
  if (text.includes('\\u')) refuse(found(body, ['body'], unstorable));
  if (!mayHaveInexact(text)) return body;
  requireExact(text, (literal) => isKept(literal) || (exactIntegers && isLongInteger(literal)));
  return exactIntegers ? withExactIntegers(text) : body;
}

/** Refuses the first number of a valid JSON text that is not exact, with its place (platform E-6a). */
function requireExact(text: string, isExact: (literal: string) => boolean): void {
  let first: string | undefined;
  const marked = replaceNumbers(text, (literal) => {
    if (first !== undefined || isExact(literal)) return undefined;
    first = literal;
    return markOf(literal);
  });
  if (first === undefined) return;
  const reasonOf = (value: string) => (value.startsWith('\0') ? inexact(value.slice(1)) : undefined);
  // A name that stands twice in an object hides its first value.
  refuse(found(JSON.parse(marked), ['body'], reasonOf) ?? { place: ['body'], reason: inexact(first) });
}

/** Parses a valid JSON text again, with whole numbers beyond ±(2^53−1) as bigint. */
function withExactIntegers(text: string): unknown {
  const marked = replaceNumbers(text, (literal) => (isLongInteger(literal) ? markOf(literal) : undefined));
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith('\0') ? BigInt(value.slice(1)) : value,
  );
}

/** A string in the place of a number, with a prefix that no string of a body may contain. */
function markOf(literal: string): string {
  return `"\\u0000${literal}"`;
}

interface Issue {
  readonly place: Place;
  readonly reason: string;
}

function refuse(issue: Issue | undefined): void {
  if (issue !== undefined) throw validationFailure([{ loc: issue.place, msg: issue.reason, type: 'value_error' }]);
}

/** Finds the first name or string with a problem, if there is one. The recursion is bounded by `maxNesting`. */
function found(value: unknown, place: Place, problemOf: (text: string) => string | undefined): Issue | undefined {
  if (typeof value === 'string') {
    const reason = problemOf(value);
    return reason === undefined ? undefined : { place, reason };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, field] of Object.entries(value)) {
    const reason = problemOf(name);
    if (reason !== undefined) return { place, reason };
    const inner = found(field, [...place, Array.isArray(value) ? Number(name) : name], problemOf);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function unstorable(text: string): string | undefined {
  if (isStorable(text)) return undefined;
  return 'Contains a character that cannot be stored: U+0000 or an unpaired surrogate';
}

/** Returns the reason why a number is refused (platform E-6a). */
function inexact(literal: string): string {
  const double = Number(literal);
  if (!Number.isFinite(double)) return 'Too large: numbers are at most about 1.8e308';
  return `Has more digits than a number can keep: it would become ${double}`;
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
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at);
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/** The place of the quotation mark that ends the string which one at `start` begins, or the end of the text. */
function stringEnd(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
  } while (isEscaped(text, end));
  return end;
}

/** True if a sign is escaped: an odd number of backslashes is before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}
