import { escapeMarkup, type PluginPage } from '@pacioli/core';
import type { Assets } from './assets.ts';
import { createPage, type Page } from './shell.ts';

/** The fields of the status report that the front page shows (platform H-1). */
export interface Status {
  readonly status: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface PluginRow {
  readonly name: string;
  readonly version: string;
}

const meanings: Readonly<Record<string, string>> = {
  healthy: 'Everything works.',
  degraded: 'The service works, but a part of it does not.',
  unhealthy: 'The database cannot be reached.',
};

/** The page that browsers get at the root: version, status and links to the other pages. */
export function frontPage(
  files: Assets,
  report: Status,
  { hasExplorer, pages }: { readonly hasExplorer: boolean; readonly pages: readonly PluginPage[] },
): Page {
  const { version, plugins } = report.details;
  const state = escapeMarkup(report.status);
  const links = [
    ['docs', 'API reference', 'Every operation with its input and responses; try them with an API key.'],
    ...(hasExplorer ? [['explorer', 'Explorer', 'Read a graph with GraphQL queries.']] : []),
    ...pages.map(({ key, title, summary }) => [`console/${key}`, escapeMarkup(title), escapeMarkup(summary)]),
    ['v1/status', 'Status', 'Whether the service works, as JSON.'],
    ['openapi.json', 'OpenAPI document', 'For generated clients and other tools.'],
    ['schema.graphql', 'GraphQL schema', 'The types of every query.'],
  ];
  const items = links.map(([href, name, text]) => `<li><a href="${href}">${name}</a><span>${text}</span></li>`);
  return createPage(files, {
    title: 'Pacioli',
    root: '.',
    styles: ['console.css'],
    scripts: [],
    body: `<main class="front">
<h1>Pacioli${typeof version === 'string' ? ` <small>${escapeMarkup(version)}</small>` : ''}</h1>
<p>Accounting, reporting and analysis on knowledge graphs.</p>
<p class="state ${state}"><strong>${state}</strong> ${meanings[report.status] ?? ''}</p>
<nav aria-label="Pages"><ul class="links">
${items.join('\n')}
</ul></nav>
${pluginTable(pluginsOf(plugins))}
</main>`,
  });
}

/** Empty if the deployment does not publish its plugins (platform H-2). */
function pluginsOf(plugins: unknown): readonly PluginRow[] {
  if (!Array.isArray(plugins)) return [];
  return plugins.filter(
    (plugin): plugin is PluginRow => typeof plugin?.name === 'string' && typeof plugin.version === 'string',
  );
}

function pluginTable(plugins: readonly PluginRow[]): string {
  if (plugins.length === 0) return '';
  const rows = plugins.map(
    ({ name, version }) => `<tr><td>${escapeMarkup(name)}</td><td>${escapeMarkup(version)}</td></tr>`,
  );
  return `<table>
<caption>Plugins</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Version</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}
