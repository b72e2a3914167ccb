/**
 * Whether a text is a link that a page may show: an absolute address of the web. Others can run a script, open a file
 * or lead back into the page that shows them. Stricter than browsers, which skip control characters, read a backslash as
 * a slash and mend missing slashes, so that what is checked is also what is opened.
 */
export function isWebLink(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && !/[\\\p{Cc}\s]/u.test(text) && URL.canParse(text);
}
