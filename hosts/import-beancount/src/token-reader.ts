import { add, type Decimal, divide, isZero, multiply, negate, parseDecimal, subtract } from './decimal.ts';
import { journalLimits } from './limits.ts';
import { isTooLong, type Token, type TokenKind, type TokenLine } from './tokens.ts';

/** An error of one line; the parser turns it into a problem with file and line. */
export class LineError extends Error {}

/** Reads the tokens of one line from left to right. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(line: TokenLine) {
    this.#tokens = line.tokens;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#tokens.length;
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#position + ahead];
  }

  isNext(kind: TokenKind, text?: string): boolean {
    const token = this.peek();
    return token !== undefined && token.kind === kind && (text === undefined || token.text === text);
  }

  /** Consumes and returns the next token if it is of this kind (and text), else returns null. */
  take(kind: TokenKind, text?: string): Token | null {
    if (!this.isNext(kind, text)) return null;
    const token = this.peek() ?? null;
    this.#position += 1;
    return token;
  }

  /** Consumes a required token; `what` names it in the error message. */
  expect(kind: TokenKind, what: string, text?: string): Token {
    const token = this.take(kind, text);
    if (token === null) throw new LineError(`expected ${what} but found ${this.describeNext()}.`);
    return token;
  }

  requireEnd(): void {
    if (!this.isAtEnd) throw new LineError(`${this.describeNext()} is too much on this line; remove it.`);
  }

  describeNext(): string {
    const token = this.peek();
    return token === undefined ? 'the end of the line' : `"${token.text}"`;
  }

  /** True where a number or an arithmetic expression can begin. */
  get startsNumber(): boolean {
    return ['+', '-', '('].some((mark) => this.isNext('punctuation', mark)) || this.isNext('number');
  }

  /** Parses an arithmetic expression: + - * / and parentheses, with the usual precedence. */
  expression(depth = 0): Decimal {
    if (depth > journalLimits.maxExpressionDepth) throw new LineError('this expression is nested too deeply.');
    let left = this.#term(depth);
    for (;;) {
      if (this.take('punctuation', '+')) left = add(left, this.#term(depth));
      else if (this.take('punctuation', '-')) left = subtract(left, this.#term(depth));
      else return left;
    }
  }

  #term(depth: number): Decimal {
    let left = this.#factor(depth);
    for (;;) {
      if (this.take('punctuation', '*')) {
        left = multiply(left, this.#factor(depth));
      } else if (this.take('punctuation', '/')) {
        const right = this.#factor(depth);
        if (isZero(right)) throw new LineError('this expression divides by zero.');
        left = divide(left, right);
      } else {
        return left;
      }
    }
  }

  #factor(depth: number): Decimal {
    if (depth > journalLimits.maxExpressionDepth) throw new LineError('this expression is nested too deeply.');
    if (this.take('punctuation', '-')) return negate(this.#factor(depth + 1));
    if (this.take('punctuation', '+')) return this.#factor(depth + 1);
    if (this.take('punctuation', '(')) {
      const inner = this.expression(depth + 1);
      this.expect('punctuation', 'a closing parenthesis', ')');
      return inner;
    }
    const token = this.expect('number', 'a number');
    if (isTooLong(token)) {
      throw new LineError(`a number may have at most ${journalLimits.maxNumberDigits} digits.`);
    }
    return parseDecimal(token.text);
  }
}
