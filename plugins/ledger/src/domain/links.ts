import { isWebLink } from '@pacioli/core';

/** What is wrong with texts that are shown as links; undefined when nothing is. No text is no link. */
export function problemOfLinks(fields: Readonly<Record<string, string | null | undefined>>): string | undefined {
  for (const [name, link] of Object.entries(fields)) {
    if (link != null && !isWebLink(link)) {
      return `${name}: a link must be absolute and begin with http:// or https://, such as https://example.org/page.`;
    }
  }
  return undefined;
}
