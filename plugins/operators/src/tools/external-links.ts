const maxLinks = 50;
// Renderers also turn addresses without a scheme into links.
const link = /(?:\bhttps?:|(?<=[(\s"'<]|^))\/\/[^\s<>"'`)\]}]+|\bwww\.[^\s<>"'`)\]}]+/gi;

/** The addresses in an answer that lead to other hosts, in order, each once (ai-surface PX-6). */
export function externalLinks(content: string, serviceUrl: string): readonly string[] {
  const own = hostOf(serviceUrl);
  const found = [...content.matchAll(link)]
    .map(([url]) => url.replace(/[.,;:!?]+$/, ''))
    .filter((url) => own === undefined || hostOf(absolute(url)) !== own);
  return [...new Set(found)].slice(0, maxLinks);
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function absolute(url: string): string {
  if (url.startsWith('//')) return `https:${url}`;
  return url.toLowerCase().startsWith('www.') ? `https://${url}` : url;
}
