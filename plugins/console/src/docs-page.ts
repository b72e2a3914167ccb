import type { Assets } from './assets.ts';
import { createPage, type Page } from './shell.ts';

/** The API reference, rendered in the browser from the deployment’s OpenAPI document. */
export function docsPage(files: Assets): Page {
  return createPage(files, {
    title: 'API reference · Pacioli',
    root: '.',
    styles: ['swagger-ui.css', 'console.css'],
    scripts: ['swagger-ui.js', 'docs.js'],
    policy: { 'script-src': "'self'", 'connect-src': "'self'" },
    body: `<header class="bar"><a href="./">Pacioli</a><h1>API reference</h1></header>
<main id="docs" data-document="openapi.json"><p class="hint">Loading the API reference …</p></main>
<noscript><p class="hint">The reference needs JavaScript. The document itself is <a href="openapi.json">openapi.json</a>.</p></noscript>`,
  });
}
