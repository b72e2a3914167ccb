import type { Dialect, Token } from './dialect.ts';

type Lexicon = Pick<Dialect<never, never>, 'tokens' | 'maxCharacters' | 'messages' | 'problem' | 'reportsSpaceBefore'>;

const space = /\s*/y;

/** Splits a text into tokens; the last one is `end`. Throws the dialect's error on anything that is no token. */
export function tokenize(text: string, lexicon: Lexicon): readonly Token[] {
  const { maxCharacters, messages, problem, reportsSpaceBefore } = lexicon;
  if (text.length > maxCharacters) throw problem(text, messages.tooLong);
  const tokens: Token[] = [];
  let endOfLast = 0;
  for (;;) {
    space.lastIndex = endOfLast;
    const position = endOfLast + (space.exec(text)?.[0].length ?? 0);
    const reported = reportsSpaceBefore ? endOfLast : position;
    if (position === text.length) return [...tokens, { kind: 'end', text: 'the end', position: reported }];
    const token = tokenAt(text, position, lexicon.tokens);
    if (token === undefined) throw problem(text, messages.unreadable(text.slice(position)), reported);
    tokens.push(token);
    endOfLast = position + token.text.length;
  }
}

function tokenAt(text: string, position: number, pattern: RegExp): Token | undefined {
  pattern.lastIndex = position;
  const groups = Object.entries(pattern.exec(text)?.groups ?? {});
  const [kind, found] = groups.find(([, part]) => part !== undefined) ?? [];
  return kind === undefined || found === undefined ? undefined : { kind, text: found, position };
}
