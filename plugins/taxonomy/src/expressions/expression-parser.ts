import { type Token, type TokenRules, tokenize } from './tokenize.ts';

/** The syntax tree of a dialect: its operands, joined by its binary operators. */
export type Tree<Leaf, Sign extends string> = Leaf | Binary<Leaf, Sign>;

interface Binary<Leaf, Sign extends string> {
  readonly kind: 'binary';
  readonly sign: Sign;
  readonly left: Tree<Leaf, Sign>;
  readonly right: Tree<Leaf, Sign>;
}

/** The messages of errors that every dialect has. */
export type Messages = TokenRules['messages'] & {
  readonly tooDeep: string;
  readonly expected: (sign: string, found: Token) => string;
  readonly afterEnd: (found: Token) => string;
};

/** Operators that bind equally; they group to the left. */
interface Level<Leaf, Sign extends string> {
  readonly signs: readonly Sign[];
  /** Reads the right side if it is not an operand like the left one. */
  readonly rightSide?: (parser: ExpressionParser<Leaf, Sign>, sign: Sign) => Tree<Leaf, Sign>;
}

/** A language of expressions: its tokens, operators and operands, its limits and its errors. */
export interface Dialect<Leaf, Sign extends string> extends TokenRules {
  /** The operators, those that bind loosest first. */
  readonly levels: readonly Level<Leaf, Sign>[];
  readonly operand: (parser: ExpressionParser<Leaf, Sign>) => Tree<Leaf, Sign>;
  /** Limit of brackets and calls inside each other; it bounds the recursion. */
  readonly maxDepth: number;
  readonly messages: Messages;
}

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
