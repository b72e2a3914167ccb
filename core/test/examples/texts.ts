import { markdownHeadings } from '@pacioli/core';

/** The outline of a note, such as `1 Taxes`; lines of code that look like headings are none. */
export const outlineOf = async (note: string): Promise<readonly string[]> =>
  (await markdownHeadings(note)).map(({ level, title }) => `${level} ${title}`);
