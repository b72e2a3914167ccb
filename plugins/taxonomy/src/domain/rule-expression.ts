/** What an expression of a rule says, as far as checks need it; it is never executed by the host language. */
export interface ParsedExpression {
  /** Names without the dollar sign, each once, in order of appearance. */
  readonly variables: readonly string[];
  /** Undefined when the expression compares nothing. */
  readonly relation: Relation | undefined;
  /** The variable that is the whole left side, if it is one. */
  readonly leftVariable: string | undefined;
}

export type Relation = '=' | '<' | '<=' | '>' | '>=';

const expression_characters_max = 4_000;
const expression_depth_max = 64;

type Token =
  | { readonly kind: 'number' | 'variable' | 'word'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string };

/** What a rule's pattern lets its expression contain beyond plain arithmetic. */
export interface ExpressionRules {
  readonly functions: ReadonlySet<string>;
}

/** Parses the safe arithmetic of rules (reporting 3.2); a sentence says why it cannot be read. */
export function parseRuleExpression(text: string, rules: ExpressionRules): ParsedExpression | string {
  if (text.length > expression_characters_max) {
    return `is longer than ${expression_characters_max} characters`;
  }
  const tokens = tokensOf(text);
  if (typeof tokens === 'string') return tokens;
  const reader = new Reader(tokens, rules.functions);
  try {
    return reader.relation();
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

class Unreadable extends Error {}

const tokenPattern = /\s*(?:(\d+(?:\.\d+)?)|\$([A-Za-z_]\w*)|([A-Za-z_]\w*)|(\[t-1\]|<=|>=|==|[=<>+\-*/()]))/y;

function tokensOf(text: string): readonly Token[] | string {
  const tokens: Token[] = [];
  const trimmed = text.trimEnd();
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < trimmed.length) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(trimmed);
    if (match === null) return `has something that is no arithmetic at "${trimmed.slice(at, at + 20).trim()}"`;
    const [, number, variable, word, sign] = match;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (variable !== undefined) tokens.push({ kind: 'variable', text: variable });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else tokens.push({ kind: 'sign', text: sign === '==' ? '=' : (sign ?? '') });
  }
  return tokens;
}

const relations = new Set<string>(['=', '<', '<=', '>', '>=']);

class Reader {
  readonly #tokens: readonly Token[];
  readonly #functions: ReadonlySet<string>;
  readonly #variables = new Set<string>();
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], functions: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#functions = functions;
  }

  relation(): ParsedExpression {
    this.#sum();
    const [first] = this.#tokens;
    const leftVariable = this.#at === 1 && first?.kind === 'variable' ? first.text : undefined;
    const sign = this.#tokens[this.#at]?.text;
    if (sign !== undefined && relations.has(sign)) {
      this.#at += 1;
      this.#sum();
    }
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw new Unreadable(`ends too late, at "${rest.text}"`);
    const relation = sign !== undefined && relations.has(sign) ? (sign as Relation) : undefined; // Checked by the set.
    return { variables: [...this.#variables], relation, leftVariable };
  }

  #sum(): void {
    this.#depth += 1;
    if (this.#depth > expression_depth_max) throw new Unreadable(`is nested deeper than ${expression_depth_max}`);
    this.#factor();
    while (this.#take(['+', '-', '*', '/']) !== undefined) this.#factor();
    this.#depth -= 1;
  }

  #factor(): void {
    if (this.#take(['-']) !== undefined) {
      this.#factor();
      return;
    }
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Unreadable('ends where a value should follow');
    this.#at += 1;
    if (token.kind === 'number') return;
    if (token.kind === 'variable') {
      this.#variables.add(token.text);
      this.#take(['[t-1]']);
      return;
    }
    if (token.kind === 'word') {
      if (!this.#functions.has(token.text)) throw new Unreadable(`uses "${token.text}", which is disallowed here`);
      this.#expect('(');
      this.#sum();
      this.#expect(')');
      return;
    }
    if (token.text !== '(') throw new Unreadable(`has "${token.text}" where a value should stand`);
    this.#sum();
    this.#expect(')');
  }

  #take(signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || !signs.includes(token.text)) return undefined;
    this.#at += 1;
    return token.text;
  }

  #expect(sign: string): void {
    if (this.#take([sign]) === undefined) throw new Unreadable(`lacks a "${sign}"`);
  }
}
