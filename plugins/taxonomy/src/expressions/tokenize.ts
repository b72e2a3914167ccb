import { ExpressionError } from './expression.ts';

/** A piece of an expression and where it starts, counted from 0. */
export interface Token {
  readonly kind: 'number' | 'variable' | 'word' | 'previous' | 'sign' | 'end';
  readonly text: string;
  readonly position: number;
}

export const maxExpressionCharacters = 4_000;

const pieces: readonly { readonly kind: Token['kind']; readonly pattern: RegExp }[] = [
  { kind: 'number', pattern: /\d+(?:\.\d+)?/y },
  // Names are as long as they can be, so that $AssetsCurrent is never $Assets (reporting R-6).
  { kind: 'variable', pattern: /\$[A-Za-z_]\w*/y },
  { kind: 'word', pattern: /[A-Za-z_]\w*/y },
  { kind: 'previous', pattern: /\[\s*t\s*-\s*1\s*\]/y },
  // A comma belongs to no rule, but a call with two arguments should be refused for being a call.
  { kind: 'sign', pattern: /<=|>=|==|[=<>+\-*/(),]/y },
];
const space = /\s*/y;

/** Cuts an expression into its pieces; the last one is `end`. Throws ExpressionError on what has no place in rules. */
export function tokenize(text: string): readonly Token[] {
  if (text.length > maxExpressionCharacters) {
    throw new ExpressionError(`an expression has at most ${maxExpressionCharacters} characters`);
  }
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    space.lastIndex = position;
    position += space.exec(text)?.[0].length ?? 0;
    if (position >= text.length) return [...tokens, { kind: 'end', text: '', position }];
    const token = pieceAt(text, position);
    const before = tokens.at(-1);
    if (token.text === '*' && before?.text === '*' && before.position === position - 1) {
      throw new ExpressionError('"**" is disallowed', before.position);
    }
    tokens.push(token);
    position += token.text.length;
  }
}

function pieceAt(text: string, position: number): Token {
  for (const { kind, pattern } of pieces) {
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return { kind, text: found, position };
  }
  const character = text[position] ?? '';
  if (character === '[') throw new ExpressionError('an index other than [t-1] is disallowed', position);
  throw new ExpressionError(`"${character}" is disallowed`, position);
}
