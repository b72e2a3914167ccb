import {
  type BareExpression,
  type BinarySign,
  type Expression,
  ExpressionError,
  type Relation,
  type RelationSign,
} from './expression.ts';
import { type Token, tokenize } from './tokenize.ts';

/** What an expression may use beyond plain arithmetic (reporting ). */
export interface ExpressionFeatures {
  /** `avg($X)`, in Derive rules. */
  readonly hasAverage?: boolean;
  /** `$X[t-1]`, in rules of forecasts. */
  readonly hasPrevious?: boolean;
  /** Words that name what a pattern does with its operand, such as `exists($X)`; they compute nothing themselves. */
  readonly labels?: readonly string[];
}

const maxDepth = 64;
const relationSigns: ReadonlySet<string> = new Set<RelationSign>(['=', '<', '<=', '>', '>=']);

/**
 * Reads `left = right` or a comparison. Nothing is handed to the host language (reporting R-6).
 * Throws ExpressionError with the position of what is wrong.
 */
export function parseRelation(text: string, features: ExpressionFeatures = {}): Relation {
  const reader = new Reader(tokenize(text), features);
  const left = reader.expression();
  return reader.relation(left);
}

/** The same for a rule that need not compare. Throws ExpressionError with the position of what is wrong. */
export function parseRelationOrValue(text: string, features: ExpressionFeatures = {}): Relation | BareExpression {
  const reader = new Reader(tokenize(text), features);
  const left = reader.expression();
  return reader.isAtEnd() ? { sign: undefined, left } : reader.relation(left);
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #features: ExpressionFeatures;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], features: ExpressionFeatures) {
    this.#tokens = tokens;
    this.#features = features;
  }

  expression(): Expression {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#factor()));
  }

  relation(left: Expression): Relation {
    const sign = this.#relationSign();
    const right = this.expression();
    this.#end();
    return { sign, left, right };
  }

  isAtEnd(): boolean {
    return this.#peek().kind === 'end';
  }

  #relationSign(): RelationSign {
    const token = this.#next();
    const sign = token.text === '==' ? '=' : token.text;
    if (!relationSigns.has(sign)) throw unexpected(token, 'a comparison');
    return sign as RelationSign; // The set has exactly the signs of the type.
  }

  #end(): void {
    const token = this.#next();
    if (token.kind !== 'end') throw unexpected(token, 'the end');
  }

  #chain(signs: readonly BinarySign[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const sign = signs.find((each) => this.#peek().kind === 'sign' && this.#peek().text === each);
      if (sign === undefined) return left;
      this.#next();
      left = { kind: 'binary', sign, left, right: operand() };
    }
  }

  #factor(): Expression {
    const token = this.#next();
    if (token.kind === 'number') return { kind: 'number', text: token.text };
    if (token.kind === 'variable') return this.#variable(token);
    if (token.kind === 'word') return this.#call(token);
    if (token.text === '-') return this.#nested(token, () => ({ kind: 'negate', operand: this.#factor() }));
    if (token.text !== '(') throw unexpected(token, 'a value');
    return this.#bracketed(token);
  }

  #bracketed(token: Token): Expression {
    return this.#nested(token, () => {
      const inner = this.expression();
      this.#expect(')');
      return inner;
    });
  }

  #call(token: Token): Expression {
    if (this.#features.labels?.includes(token.text) !== true) return this.#average(token);
    const bracket = this.#next();
    if (bracket.text !== '(') throw unexpected(bracket, '"("');
    return this.#bracketed(bracket);
  }

  #variable(token: Token): Expression {
    const name = token.text.slice(1);
    if (this.#peek().kind !== 'previous') return { kind: 'variable', name };
    const index = this.#next();
    if (this.#features.hasPrevious !== true) {
      throw new ExpressionError('[t-1] is allowed in rules of forecasts only, and disallowed', index.position);
    }
    return { kind: 'previous', name };
  }

  #average(token: Token): Expression {
    if (token.text !== 'avg' || this.#features.hasAverage !== true) {
      const only = 'the only aggregate is avg($Var), allowed in Derive rules only';
      throw new ExpressionError(`"${token.text}" is disallowed: ${only};`, token.position);
    }
    this.#expect('(');
    const operand = this.#next();
    if (operand.kind !== 'variable') throw unexpected(operand, 'a $Variable');
    this.#expect(')');
    return { kind: 'average', name: operand.text.slice(1) };
  }

  #nested(token: Token, read: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new ExpressionError(`nested deeper than ${maxDepth}`, token.position);
    const expression = read();
    this.#depth -= 1;
    return expression;
  }

  #expect(sign: string): void {
    const token = this.#next();
    if (token.text !== sign) throw unexpected(token, `"${sign}"`);
  }

  #peek(): Token {
    // The last token is the end and is never stepped over.
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] ?? { kind: 'end', text: '', position: 0 };
  }

  #next(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }
}

function unexpected(token: Token, wanted: string): ExpressionError {
  const found = token.kind === 'end' ? 'the expression ends' : `"${token.text}" stands`;
  return new ExpressionError(`${found} where ${wanted} should be`, token.position);
}
