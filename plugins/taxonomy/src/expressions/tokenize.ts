/** A token of an expression with its offset, from 0. */
export interface Token {
  /** One of the dialect's kinds; `end` for the last one. */
  readonly kind: string;
  readonly text: string;
  readonly position: number;
}

/** The tokens of a language, with its limit of characters and its errors. */
export interface TokenRules {
  /** Each kind of token with its sticky pattern; the first that matches wins. */
  readonly tokens: readonly (readonly [kind: string, pattern: RegExp])[];
  readonly maxCharacters: number;
  /** An unreadable character and the end are reported at the space before them, if there is any. */
  readonly reportsSpaceBefore: boolean;
  readonly messages: {
    readonly tooLong: string;
    /** No token begins with this rest of the text. */
    readonly unreadable: (rest: string) => string;
  };
  /** Makes the error of a text; without a position, the whole text is too long. */
  readonly problem: (text: string, message: string, position?: number) => Error;
}

const space = /\s+/y;

/** Splits a text into tokens; the last one is `end`. Throws the dialect's error on anything that is not a token. */
export function tokenize(text: string, rules: TokenRules): readonly Token[] {
  const { maxCharacters, messages, problem, reportsSpaceBefore, tokens } = rules;
  if (text.length > maxCharacters) throw problem(text, messages.tooLong);
  const found: Token[] = [];
  let endOfLast = 0;
  for (;;) {
    const position = afterSpace(text, endOfLast);
    const reported = reportsSpaceBefore ? endOfLast : position;
    if (position === text.length) return [...found, { kind: 'end', text: 'the end', position: reported }];
    const token = tokenAt(text, position, tokens);
    if (token === undefined) throw problem(text, messages.unreadable(text.slice(position)), reported);
    found.push(token);
    endOfLast = position + token.text.length;
  }
}

function afterSpace(text: string, position: number): number {
  space.lastIndex = position;
  return space.test(text) ? space.lastIndex : position;
}

function tokenAt(text: string, position: number, patterns: TokenRules['tokens']): Token | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = position;
    if (pattern.test(text)) return { kind, text: text.slice(position, pattern.lastIndex), position };
  }
  return undefined;
}
