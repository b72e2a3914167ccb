import { parseUrl } from './parse-url.ts';

/**
 * Accepts only absolute http and https links, which are safe to show on a page. Others can run a script, open a file or
 * lead back into the page. Stricter than browsers, which skip control characters, read a backslash as a slash and add
 * missing slashes, so that the checked link is the one that is opened.
 */
export function isWebLink(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && !/[\\\p{Cc}\s]/u.test(text) && parseUrl(text) !== undefined;
}
