import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';

/**
 * Markdown as a well-formed fragment of XHTML (reporting X-24). HTML in the text is escaped and links with other
 * protocols than those of the web and of mail are dropped, so the fragment cannot run anything.
 */
export function xhtmlOf(markdown: string): string {
  return micromark(markdown, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] });
}
