import { maskStatement } from '@pacioli/core/ports';
import fc from 'fast-check';

/** A disguise of one place in a statement: the case of its letters, or more space between its words. */
export const disguises = fc.array(
  fc.record({ at: fc.nat(), as: fc.constantFrom('upper', 'lower', '  ', '\t', '\n', ' /* x */ ', '/**/ ') }),
  { minLength: 1, maxLength: 12 },
);

/** Applies disguises outside of texts, quoted names and comments, where they do not change what a statement means. */
export function disguised(statement: string, marks: readonly { readonly at: number; readonly as: string }[]): string {
  let text = statement;
  for (const { at, as } of marks) {
    const { text: masked } = maskStatement(text);
    const index = at % Math.max(1, text.length);
    const sign = text.charAt(index);
    // The name of a parameter is case-sensitive.
    if (masked.charAt(index) !== sign || /\$\w*$/.test(text.slice(0, index))) continue;
    if (as === 'upper' || as === 'lower') {
      const changed = as === 'upper' ? sign.toUpperCase() : sign.toLowerCase();
      text = text.slice(0, index) + changed + text.slice(index + 1);
    } else if (sign === ' ' && !text.includes('//') && !text.includes('/*')) {
      text = text.slice(0, index) + as + text.slice(index + 1);
    }
  }
  return text;
}
