import type { Readable } from 'node:stream';
import type { PluginPage } from '@pacioli/core';
import { Assets } from './assets.ts';
import { consentPage } from './consent-page.ts';
import { docsPage } from './docs-page.ts';
import { explorerAt } from './explorer-page.ts';
import { frontPage, type Status } from './front-page.ts';
import { filesOf, pluginFolder, pluginPage } from './plugin-page.ts';
import { assetFolder, type Page } from './shell.ts';

/** The facts about a deployment that the pages show. */
export interface Deployed {
  /** The report of `/v1/status`. */
  status(): Promise<Status>;
  /** False if the deployment has no explorer (platform E-21). */
  readonly hasExplorer: boolean;
  /** True if AI clients can ask users for access (ai-surface 6). */
  readonly hasConsent?: boolean;
  /** The pages that plugins add (platform X-15). */
  pages?(): readonly PluginPage[];
}

/** The parts of a GET request that pages depend on. */
export interface ConsoleRequest {
  /** Relative to the prefix of the host. */
  readonly path: string;
  /** True if the client prefers HTML to JSON. */
  readonly isBrowser: boolean;
  readonly isGzipTaken: boolean;
}

export interface ConsolePage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | (() => Readable);
}

/** Serves the pages and their files; undefined leaves a request to the service. */
export function consolePages(deployed: Deployed): (request: ConsoleRequest) => Promise<ConsolePage | undefined> {
  let made: { readonly files: Assets; readonly pages: readonly PluginPage[] } | undefined;
  const make = () => {
    const pages = deployed.pages?.() ?? [];
    return { pages, files: new Assets(filesOf(pages)) };
  };
  return async ({ path, isBrowser, isGzipTaken }) => {
    made ??= make();
    const { files, pages } = made;
    const { hasExplorer } = deployed;
    if (path === '/' && isBrowser) return frontPage(files, await deployed.status(), { hasExplorer, pages });
    if (path === '/docs') return docsPage(files);
    if (path === '/oauth/consent' && deployed.hasConsent === true) return consentPage(files);
    if (path === '/explorer' && deployed.hasExplorer) return explorerAt(files, '.', '');
    const page = pages.find(({ key }) => path === pluginFolder + key);
    if (page !== undefined) return pluginPage(files, page);
    if (!path.startsWith(assetFolder)) return undefined;
    const asset = files.open(path.slice(assetFolder.length), isGzipTaken);
    return asset === undefined ? undefined : { headers: asset.headers, body: asset.read };
  };
}

/** The explorer of one graph, for the kernel to serve at the graph's GraphQL path. */
export function explorerPage(): (graphId: string) => Page {
  const files = new Assets();
  return (graphId) => explorerAt(files, '../..', graphId.replaceAll(/[^A-Za-z0-9_]/g, ''));
}
