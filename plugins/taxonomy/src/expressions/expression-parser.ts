import type { Dialect, Token, Tree } from './dialect.ts';
import { tokenize } from './tokenize.ts';

/** Parses one text in a dialect: a cursor over its tokens, and the precedence of its operators. */
export class ExpressionParser<Leaf, Sign extends string> {
  readonly text: string;
  readonly #dialect: Dialect<Leaf, Sign>;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  /** Throws the dialect's error if the text has anything but its tokens, or too many characters. */
  constructor(text: string, dialect: Dialect<Leaf, Sign>) {
    this.text = text;
    this.#dialect = dialect;
    this.#tokens = tokenize(text, dialect);
  }

  /** Parses the whole text as one expression. */
  all(): Tree<Leaf, Sign> {
    const expression = this.expression();
    this.end();
    return expression;
  }

  /** Parses the longest expression from here on. */
  expression(): Tree<Leaf, Sign> {
    return this.#level(0);
  }

  operand(): Tree<Leaf, Sign> {
    return this.#dialect.operand(this);
  }

  /** Parses the rest of brackets that are open; `token` is reported if they are nested too deep. */
  bracketed(token: Token): Tree<Leaf, Sign> {
    return this.nested(token, () => {
      const inner = this.expression();
      this.expect(')');
      return inner;
    });
  }

  /** Parses one level deeper; `token` is reported if that is too deep. */
  nested<Part>(token: Token, parse: () => Part): Part {
    this.#depth += 1;
    if (this.#depth > this.#dialect.maxDepth) throw this.problem(token, this.#dialect.messages.tooDeep);
    const part = parse();
    this.#depth -= 1;
    return part;
  }

  /** Takes the next token, which must be this sign. */
  expect(sign: string): void {
    const token = this.next();
    if (token.text !== sign) throw this.problem(token, this.#dialect.messages.expected(sign, token));
  }

  /** Requires that nothing is left. */
  end(): void {
    const token = this.next();
    if (token.kind !== 'end') throw this.problem(token, this.#dialect.messages.afterEnd(token));
  }

  peek(): Token {
    // The last token is the end and is never passed.
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] ?? { kind: 'end', text: '', position: 0 };
  }

  next(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  problem(token: Token, message: string): Error {
    return this.#dialect.problem(this.text, message, token.position);
  }

  #level(index: number): Tree<Leaf, Sign> {
    const level = this.#dialect.levels[index];
    if (level === undefined) return this.operand();
    let left = this.#level(index + 1);
    for (;;) {
      const sign = level.signs.find((each) => each === this.peek().text);
      if (sign === undefined) return left;
      this.next();
      const right = level.rightSide?.(this, sign) ?? this.#level(index + 1);
      left = { kind: 'binary', sign, left, right };
    }
  }
}
