import { isWebLink } from '@pacioli/core';

/** Finds the first text that cannot be shown as a link, as a sentence; undefined when all can. Absent texts pass. */
export function problemOfLinks(fields: Readonly<Record<string, string | null | undefined>>): string | undefined {
  for (const [name, link] of Object.entries(fields)) {
    if (link != null && !isWebLink(link)) {
      return `${name}: a link must be absolute and begin with http:// or https://, such as https://example.org/page.`;
    }
  }
  return undefined;
}
