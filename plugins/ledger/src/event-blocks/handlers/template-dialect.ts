import type { Dialect, Messages } from '@pacioli/taxonomy/expressions';
import { TemplateProblem } from './template-path.ts';

export const maxTemplateCharacters = 500;

/** The characters of a text that is too long, as its message quotes them. */
const maxQuotedCharacters = 40;

/** Limit of parentheses and functions inside each other. */
const maxLevels = 20;

/** The parts in which the languages of templates differ. */
interface OwnParts<Leaf, Sign extends string> extends Pick<Dialect<Leaf, Sign>, 'tokens' | 'levels' | 'operand'> {
  readonly messages: Pick<Messages, 'tooLong' | 'unreadable' | 'afterEnd'>;
}

/** Makes a language of templates, with the limits and errors that all of them share (ledger L-110). */
export function templateDialect<Leaf, Sign extends string>(own: OwnParts<Leaf, Sign>): Dialect<Leaf, Sign> {
  return {
    ...own,
    maxCharacters: maxTemplateCharacters,
    maxDepth: maxLevels,
    reportsSpaceBefore: true,
    messages: {
      ...own.messages,
      tooDeep: `parentheses and functions can be nested at most ${maxLevels} levels deep.`,
      expected: (sign, found) => `'${sign}' is expected here, not ${found.text}.`,
    },
    problem: (text, message, position) =>
      position === undefined
        ? new TemplateProblem(text.slice(0, maxQuotedCharacters), maxTemplateCharacters, message)
        : new TemplateProblem(text, position, message),
  };
}
