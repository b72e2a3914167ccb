import { escapeMarkup, type PluginPage } from '@pacioli/core';
import type { Assets, PageFile } from './assets.ts';
import { createPage, type Page } from './shell.ts';

/** The folder of the pages of plugins relative to the root of a deployment. */
export const pluginFolder = '/console/';

const scriptOf = (key: string): PageFile => `page-${key}.js`;
const styleOf = (key: string): PageFile => `page-${key}.css`;

/** The files that the pages of plugins load, by name. */
export function filesOf(pages: readonly PluginPage[]): ReadonlyMap<string, URL> {
  const files = new Map<string, URL>();
  for (const { key, script, style } of pages) {
    if (script !== undefined) files.set(scriptOf(key), script);
    if (style !== undefined) files.set(styleOf(key), style);
  }
  return files;
}

/** A page of a plugin, under the policy of every page; only one with a script may run that and call the API. */
export async function pluginPage(files: Assets, page: PluginPage): Promise<Page> {
  const { key, script, style } = page;
  const title = escapeMarkup(page.title);
  return createPage(files, {
    title: `${title} · Pacioli`,
    root: '..',
    styles: ['console.css', ...(style === undefined ? [] : [styleOf(key)])],
    scripts: script === undefined ? [] : [scriptOf(key)],
    ...(script === undefined ? {} : { policy: { 'script-src': "'self'", 'connect-src': "'self'" } }),
    body: `<header class="bar"><a href="../">Pacioli</a><h1>${title}</h1></header>
<main id="${key}" class="front">
${await page.body()}
</main>`,
  });
}
