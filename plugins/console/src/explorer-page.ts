import type { Assets } from './assets.ts';
import { createPage, type Page } from './shell.ts';

/** The GraphQL explorer; an empty `graphId` lets the user choose a graph. */
export function explorerAt(files: Assets, root: string, graphId: string): Page {
  return createPage(files, {
    title: graphId === '' ? 'Pacioli explorer' : `Pacioli explorer · ${graphId}`,
    root,
    styles: ['graphiql.css', 'console.css'],
    scripts: ['react.js', 'react-dom.js', 'graphiql.js', 'explorer.js'],
    // The editor’s style sheet embeds its fonts.
    policy: { 'script-src': "'self'", 'connect-src': "'self'", 'font-src': "'self' data:" },
    body: `<header class="bar"><a href="${root}/">Pacioli</a><h1>Explorer</h1>
<form id="connection" data-root="${root}" autocomplete="off">
<label for="key">API key</label><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="rfs…">
<label for="graph">Graph</label><input id="graph" list="graphs" spellcheck="false" value="${graphId}" placeholder="kg…">
<datalist id="graphs"></datalist>
<button type="submit">Connect</button>
</form>
</header>
<p id="state" class="hint" role="status">Paste an API key and choose a graph. The key stays in this page.</p>
<main id="explorer"></main>`,
  });
}
