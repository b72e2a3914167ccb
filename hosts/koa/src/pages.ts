import type { Readable } from 'node:stream';
import type { Context, Next } from 'koa';
import { requestIdOf } from './request.ts';

/** A GET request for a page. */
export interface PageRequest {
  /** The path below the prefix. */
  readonly path: string;
  /** True when the client prefers HTML to JSON. */
  readonly isBrowser: boolean;
  readonly isGzipTaken: boolean;
}

export interface PageAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** A text, or a function that opens a stream of a longer one. */
  readonly body: string | (() => Readable);
}

/** Returns the page for a request; undefined passes the request on to the service. */
export type Pages = (request: PageRequest) => Promise<PageAnswer | undefined>;

/** Serves the pages of a deployment in front of its routes. */
export async function withPages(pages: Pages, prefix: string, context: Context, next: Next): Promise<void> {
  const isRead = context.method === 'GET' || context.method === 'HEAD';
  if (!isRead || !context.path.startsWith(`${prefix}/`)) return next();
  const path = context.path.slice(prefix.length);
  // A client that accepts anything, or sends no Accept header, gets JSON.
  const isBrowser = context.accepts('json', 'html') === 'html';
  if (path === '/') context.vary('Accept');
  const page = await pages({ path, isBrowser, isGzipTaken: context.acceptsEncodings('gzip', 'identity') === 'gzip' });
  if (page === undefined) return next();
  // A HEAD request must not open a file that is never read.
  if (context.method === 'HEAD') context.body = null;
  else context.body = typeof page.body === 'string' ? page.body : page.body();
  context.status = 200;
  context.set({ ...page.headers, 'X-Request-ID': requestIdOf(context) });
}
