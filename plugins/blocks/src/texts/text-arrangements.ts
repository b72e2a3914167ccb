/** The concept arrangements whose facts are texts (B-14). */
const textArrangements: ReadonlySet<string> = new Set([
  'text_block',
  'level1_textblock',
  'level2_textblock',
  'level3_textblock',
  'table_equivalent_textblock',
]);

/** True if a structure with this arrangement holds texts. */
export function isTextArrangement(arrangement: string | null): boolean {
  return arrangement !== null && textArrangements.has(arrangement);
}

/** The names of the arrangements, for messages. */
export const textArrangementNames: string = [...textArrangements].join(', ');
