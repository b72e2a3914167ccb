import { maxAmount } from '../../values/index.ts';

/**
 * The syntax tree of an amount in a handler's template, in minor units. All numbers are whole, so that every result is
 * exact; a quotient is rounded down.
 */
export type Amount =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'sum'; readonly left: Amount; readonly right: Amount; readonly sign: 1n | -1n }
  | { readonly kind: 'product'; readonly left: Amount; readonly factor: bigint }
  | { readonly kind: 'quotient'; readonly left: Amount; readonly divisor: bigint }
  | { readonly kind: 'max'; readonly operands: readonly Amount[] }
  | { readonly kind: 'split'; readonly of: Amount; readonly parts: number; readonly index: number };

/** A path below `event` or `handler`, with an optional fallback for a missing value. */
export interface Path {
  readonly root: 'event' | 'handler';
  readonly names: readonly string[];
  readonly fallback: string | undefined;
}

/** A template cannot be parsed; the message names the character, counted from 1, at which parsing stopped. */
export class TemplateProblem extends Error {
  constructor(text: string, position: number, reason: string) {
    super(`'${text}' cannot be read at character ${position + 1}: ${reason}`);
  }
}

/** The fields that a path can name below each root (ledger L-103). */
const fieldsByRoot = {
  event: new Set([
    'id',
    'event_type',
    'event_category',
    'agent_id',
    'resource_type',
    'resource_element_id',
    'occurred_at',
    'effective_at',
    'source',
    'external_id',
    'amount',
    'amount_abs',
    'currency',
    'description',
    'metadata',
  ]),
  handler: new Set(['id', 'name', 'event_type', 'origin', 'priority', 'metadata']),
} as const satisfies Record<Path['root'], ReadonlySet<string>>;

export const maxExpressionChars = 500;

/** Limit of nested parentheses and functions, and of the names in a path; it bounds the recursion. */
const maxDepth = 20;

const maxParts = 1_000;

const tooLarge = `a number is at most ${maxAmount} minor units, the largest amount that is stored exactly.`;

type TokenKind = 'path' | 'number' | 'word' | 'sign' | 'end';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

const lexemes = /\s*(?:(\{\{.*?\}\})|(\d+)|([a-z]+)|([-+*/(),]))/y;

function tokensOf(text: string): readonly Token[] {
  if (text.length > maxExpressionChars)
    throw new TemplateProblem(
      text.slice(0, 40),
      maxExpressionChars,
      `an expression has at most ${maxExpressionChars} characters.`,
    );
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  lexemes.lastIndex = 0;
  while (lexemes.lastIndex < end) {
    const from = lexemes.lastIndex;
    const match = lexemes.exec(text);
    if (match === null)
      throw new TemplateProblem(text, from, 'a {{ path }}, a whole number, + - * / or a function is expected here.');
    const [whole, path, number, word, sign] = match;
    const found = path ?? number ?? word ?? sign ?? '';
    const kind = path !== undefined ? 'path' : number !== undefined ? 'number' : word !== undefined ? 'word' : 'sign';
    tokens.push({ kind, text: found, at: from + whole.length - found.length });
  }
  return [...tokens, { kind: 'end', text: 'the end', at: end }];
}

/** True when the amount depends on a value of the event or handler. */
export function hasPath(amount: Amount): boolean {
  switch (amount.kind) {
    case 'number':
      return false;
    case 'path':
      return true;
    case 'sum':
      return hasPath(amount.left) || hasPath(amount.right);
    case 'product':
    case 'quotient':
      return hasPath(amount.left);
    case 'max':
      return amount.operands.some(hasPath);
    case 'split':
      return hasPath(amount.of);
  }
}

/**
 * Parses an amount: `{{ path }}` or a whole number, with + and - between terms, `* N` and `/ N` after one, parentheses,
 * max(a, b) and split(amount, parts, index). Throws a TemplateProblem (ledger L-103, L-105).
 */
export function parseAmount(text: string): Amount {
  return new AmountParser(text).all();
}

/** Parses the token `{{ … }}` that begins at index `at` of the whole text; errors quote that text. */
export function parsePath(text: string, token: string, at: number): Path {
  const inside = /^\{\{\s*([^|]*?)\s*(?:\|\s*default\s+(.+?)\s*)?\}\}$/s.exec(token);
  const [root, ...names] = inside?.[1]?.split('.') ?? [];
  if (inside === null || (root !== 'event' && root !== 'handler'))
    throw new TemplateProblem(text, at, 'the path between the braces must start with event. or handler.');
  // Arithmetic inside the braces is a common mistake and gets its own message; a hyphen within a name is allowed.
  const sign = /[-+*/](?=\s*[\w(])/.exec(token.replaceAll(/[\w]-[\w]/g, '___'));
  if (sign !== null && names.some((name) => /[\s+*/]/.test(name)))
    throw new TemplateProblem(
      text,
      at + sign.index,
      `write only a path between the braces and calculate after them, as in {{ ${root}.amount }} / 2.`,
    );
  if (names.length === 0 || names.length > maxDepth || names.some((name) => !/^[\w-]+$/.test(name)))
    throw new TemplateProblem(text, at, `a path consists of names separated by dots, such as ${root}.metadata.fee.`);
  const [first = ''] = names;
  if (!fieldsByRoot[root].has(first))
    throw new TemplateProblem(
      text,
      at,
      `'${first}' is not a field of ${root}. Fields are ${[...fieldsByRoot[root]].join(', ')}.`,
    );
  const fallback = inside[2];
  if (fallback !== undefined && !/^(-?\d+|'[^']*')$/.test(fallback))
    throw new TemplateProblem(text, at, "default must be followed by a whole number or 'text'.");
  if (fallback !== undefined && !fallback.startsWith("'") && !Number.isSafeInteger(Number(fallback)))
    throw new TemplateProblem(text, at + token.lastIndexOf(fallback), tooLarge);
  return { root, names, fallback: fallback?.replace(/^'(.*)'$/s, '$1') };
}

/** Recursive descent over the tokens of one amount. */
class AmountParser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  all(): Amount {
    const amount = this.#sum();
    const rest = this.#take();
    if (rest.kind !== 'end') throw this.#problem(rest, `'${rest.text}' is not expected here.`);
    return amount;
  }

  #peek(): Token {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] ?? { kind: 'end', text: 'the end', at: 0 };
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #problem(token: Token, reason: string): TemplateProblem {
    return new TemplateProblem(this.#text, token.at, reason);
  }

  #sum(): Amount {
    this.#depth += 1;
    if (this.#depth > maxDepth)
      throw this.#problem(this.#peek(), `parentheses and functions can be nested at most ${maxDepth} levels deep.`);
    let left = this.#product();
    for (let token = this.#peek(); token.text === '+' || token.text === '-'; token = this.#peek()) {
      this.#take();
      left = { kind: 'sum', left, right: this.#product(), sign: token.text === '+' ? 1n : -1n };
    }
    this.#depth -= 1;
    return left;
  }

  #product(): Amount {
    let left = this.#atom();
    for (let token = this.#peek(); token.text === '*' || token.text === '/'; token = this.#peek()) {
      this.#take();
      const factor = this.#positive(token.text === '*' ? 'a factor' : 'a divisor');
      left = token.text === '*' ? { kind: 'product', left, factor } : { kind: 'quotient', left, divisor: factor };
    }
    return left;
  }

  #atom(): Amount {
    const token = this.#take();
    if (token.kind === 'number') return { kind: 'number', value: this.#number(token) };
    if (token.kind === 'path') return { kind: 'path', path: parsePath(this.#text, token.text, token.at) };
    if (token.text === '(') {
      const inside = this.#sum();
      this.#expect(')');
      return inside;
    }
    if (token.text === 'max') return this.#max();
    if (token.text === 'split') return this.#split();
    throw this.#problem(token, 'a {{ path }}, a whole number, max(…) or split(…) is expected here.');
  }

  #max(): Amount {
    this.#expect('(');
    const operands = [this.#sum()];
    while (this.#peek().text === ',') {
      this.#take();
      operands.push(this.#sum());
    }
    this.#expect(')');
    return { kind: 'max', operands };
  }

  #split(): Amount {
    this.#expect('(');
    const of = this.#sum();
    this.#expect(',');
    const partsAt = this.#peek();
    const parts = Number(this.#positive('the number of parts'));
    if (parts > maxParts) throw this.#problem(partsAt, `an amount can be split into at most ${maxParts} parts.`);
    this.#expect(',');
    const indexAt = this.#peek();
    const index = Number(this.#positive('the number of the part, from 1,'));
    if (index > parts) throw this.#problem(indexAt, `there are only ${parts} parts, counted from 1.`);
    this.#expect(')');
    return { kind: 'split', of, parts, index };
  }

  #expect(sign: string): void {
    const token = this.#take();
    if (token.text !== sign) throw this.#problem(token, `'${sign}' is expected here, not ${token.text}.`);
  }

  #positive(what: string): bigint {
    const token = this.#take();
    const value = token.kind === 'number' ? this.#number(token) : 0n;
    if (value <= 0n) throw this.#problem(token, `${what} must be a positive whole number.`);
    return value;
  }

  #number(token: Token): bigint {
    const value = BigInt(token.text);
    if (value > BigInt(maxAmount)) throw this.#problem(token, tooLarge);
    return value;
  }
}
