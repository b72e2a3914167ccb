import type { Readable } from 'node:stream';
import type { Context, Next } from 'koa';
import { requestIdOf } from './request.ts';

/** A GET request for a page. */
export interface PageRequest {
  /** Below the prefix. */
  readonly path: string;
  /** The client prefers a page to JSON. */
  readonly isBrowser: boolean;
  readonly isGzipTaken: boolean;
}

export interface PageAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** A text, or what opens the source of a longer one. */
  readonly body: string | (() => Readable);
}

/** Answers the requests for pages; undefined leaves a request to the service. */
export type Pages = (request: PageRequest) => Promise<PageAnswer | undefined>;

/** Serves the pages of a deployment in front of its routes. */
export async function withPages(pages: Pages, prefix: string, context: Context, next: Next): Promise<void> {
  const isRead = context.method === 'GET' || context.method === 'HEAD';
  if (!isRead || !context.path.startsWith(`${prefix}/`)) return next();
  const path = context.path.slice(prefix.length);
  // A client that takes anything, or says nothing, gets JSON as it did before there were pages.
  const isBrowser = context.accepts('json', 'html') === 'html';
  if (path === '/') context.vary('Accept');
  const page = await pages({ path, isBrowser, isGzipTaken: context.acceptsEncodings('gzip', 'identity') === 'gzip' });
  if (page === undefined) return next();
  // Without a body no file is opened that nobody reads.
  if (context.method === 'HEAD') context.body = null;
  else context.body = typeof page.body === 'string' ? page.body : page.body();
  context.status = 200;
  context.set({ ...page.headers, 'X-Request-ID': requestIdOf(context) });
}
