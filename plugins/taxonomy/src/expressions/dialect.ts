import type { ExpressionParser } from './expression-parser.ts';

/** The syntax tree of a dialect: its operands, joined by its binary operators. */
export type Tree<Leaf, Sign extends string> = Leaf | Binary<Leaf, Sign>;

interface Binary<Leaf, Sign extends string> {
  readonly kind: 'binary';
  readonly sign: Sign;
  readonly left: Tree<Leaf, Sign>;
  readonly right: Tree<Leaf, Sign>;
}

/** A token of an expression with its offset, from 0. */
export interface Token {
  /** One of the dialect's kinds; `end` for the last one. */
  readonly kind: string;
  readonly text: string;
  readonly position: number;
}

/** The messages of errors that every dialect has. */
export interface Messages {
  readonly tooLong: string;
  readonly tooDeep: string;
  /** No token begins with this rest of the text. */
  readonly unreadable: (rest: string) => string;
  readonly expected: (sign: string, found: Token) => string;
  readonly afterEnd: (found: Token) => string;
}

/** Operators that bind equally; they group to the left. */
interface Level<Leaf, Sign extends string> {
  readonly signs: readonly Sign[];
  /** Reads the right side if it is not an operand like the left one. */
  readonly rightSide?: (parser: ExpressionParser<Leaf, Sign>, sign: Sign) => Tree<Leaf, Sign>;
}

/** A language of expressions: its tokens, operators and operands, its limits and its errors. */
export interface Dialect<Leaf, Sign extends string> {
  /** Each kind of token with its sticky pattern; the first that matches wins. */
  readonly tokens: readonly (readonly [kind: string, pattern: RegExp])[];
  /** The operators, those that bind loosest first. */
  readonly levels: readonly Level<Leaf, Sign>[];
  readonly operand: (parser: ExpressionParser<Leaf, Sign>) => Tree<Leaf, Sign>;
  readonly maxCharacters: number;
  /** Limit of brackets and calls inside each other; it bounds the recursion. */
  readonly maxDepth: number;
  /** An unreadable character and the end are reported at the space before them, if there is any. */
  readonly reportsSpaceBefore: boolean;
  readonly messages: Messages;
  /** Makes the error of a text; without a position, the whole text is too long. */
  readonly problem: (text: string, message: string, position?: number) => Error;
}
