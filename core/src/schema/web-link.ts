import { parseUrl } from './parse-url.ts';

/**
 * Accepts the links that a page may show: absolute addresses of the web. Others can run a script, open a file or lead
 * back into the page that shows them. Stricter than browsers, which skip control characters, read a backslash as a
 * slash and add missing slashes, so that the address that is checked is the one that is opened.
 */
export function isWebLink(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && !/[\\\p{Cc}\s]/u.test(text) && parseUrl(text) !== undefined;
}
