import type { PluginNames } from './plugin-names.ts';
import { template } from './template.gen.ts';

/** The files of a new plugin by path: those of `plugins/template`, with another name for the plugin. */
export function renderTemplate(names: PluginNames): ReadonlyMap<string, string> {
  return new Map(Object.entries(template).map(([path, text]) => [path, renamed(text, names)]));
}

/** Renames the plugin and its tables; the example in it remains a watchlist. */
function renamed(text: string, { kebab, snake, pascal, title }: PluginNames): string {
  return text
    .replaceAll('pacioli-plugin-watchlist', `pacioli-plugin-${kebab}`)
    .replaceAll('watchlist_', `${snake}_`)
    .replace(/\bWatchlist(?=Tables|Security)/g, pascal)
    .replaceAll("title: 'Watchlist'", `title: '${title}'`)
    .replace(/(?<=['/])watchlist(?=['/.])(?!\.ts)/g, kebab);
}
