import { isWebLink } from '@pacioli/core';

/** Returns the problem of the first text that is unsafe as a link, or undefined. Absent texts pass. */
export function problemOfLinks(fields: Readonly<Record<string, string | null | undefined>>): string | undefined {
  for (const [name, link] of Object.entries(fields)) {
    if (link != null && !isWebLink(link)) {
      return `${name}: a link must be absolute and begin with http:// or https://, such as https://example.org/page.`;
    }
  }
  return undefined;
}
