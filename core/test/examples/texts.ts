import { markdownHeadings } from '@pacioli/core';

/** The outline of a note, such as `1 Taxes`; lines of code that look like headings are none. */
export const outlineOf = (note: string): readonly string[] =>
  markdownHeadings(note.split('\n')).map(({ level, title }) => `${level} ${title}`);
