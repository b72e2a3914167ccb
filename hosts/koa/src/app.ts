import { isServiceError, type Log, ServiceError } from '@pacioli/core';
import { parseUrl, type Service } from '@pacioli/core/assembly';
import Koa, { type Context, type Middleware, type Next } from 'koa';
import { type Pages, withPages } from './pages.ts';
import { requestIdOf } from './request.ts';
import { createRouter } from './router.ts';
import { send } from './send.ts';

export interface KoaHostOptions {
  /** Browser origins that may call the service (platform E-15); none by default. */
  readonly allowedOrigins?: readonly string[];
  /** The host terminates TLS, so browsers are told to keep using it (HSTS). */
  readonly isTls?: boolean;
  /** The client's address is taken from the reverse proxy. */
  readonly isBehindProxy?: boolean;
  /** Logs one line per request, without the query string, which can contain a token (platform E-16). */
  readonly log?: Log;
  /** HTML pages in addition to the API of the service. */
  readonly pages?: Pages;
}

const contentSecurityPolicy =
  "default-src 'self'; script-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'";

const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'geolocation=(), camera=(), microphone=()',
  'Content-Security-Policy': contentSecurityPolicy,
} as const;

const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, Traceparent, Tracestate, X-API-Key, X-Request-ID';
const exposedHeaders =
  'Mcp-Session-Id, Retry-After, WWW-Authenticate, X-Auth-Block-Expires, X-Auth-Blocked, X-Auth-Threat-Level, X-Billing-Status, X-Existing-Event-Id, X-RateLimit-Category, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Tier, X-Request-ID';

/** Responses that may contain a token, key or signed URL must never be cached (platform E-14). */
const neverStored = /^\/v1\/(auth|user)\b/;

/** A Koa app around a deployment; `app.callback()` is a plain `(req, res)` listener for any Node server. */
export function createKoaApp(service: Service, options: KoaHostOptions = {}): Koa {
  const app = new Koa({
    proxy: options.isBehindProxy === true,
    // Only the address that our own proxy has appended is trusted; the caller can forge the ones before it.
    maxIpsCount: 1,
  });
  app.silent = true;
  app.use(respondWith(service, options));
  app.on('error', (error: unknown) => {
    // A client that disconnects during a response is not an error of the service.
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code !== 'ECONNRESET' && code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE')
      options.log?.error('an answer could not be sent', { error });
  });
  return app;
}

/**
 * Middleware for a Koa app of the host: it answers the requests below the prefix of the service, and leaves others to
 * the app. The app's own `proxy` option decides about the client's address.
 */
export function createKoaMiddleware(service: Service, options: Omit<KoaHostOptions, 'isBehindProxy'> = {}): Middleware {
  const respond = respondWith(service, options);
  return (context, next) => (isBelow(service.prefix, wholeUrl(context)) ? respond(context) : next());
}

function respondWith(service: Service, options: KoaHostOptions): (context: Context) => Promise<void> {
  const { pages } = options;
  const routes = createRouter(service).routes();
  const route = (context: Context): Promise<void> =>
    routes(context as Parameters<typeof routes>[0], () => Promise.resolve());
  return async (context) => {
    context.url = wholeUrl(context);
    await withHeaders(options, context, () =>
      withAnswer(service, options, context, () =>
        pages === undefined ? route(context) : withPages(pages, service.prefix, context, () => route(context)),
      ),
    );
  };
}

/** The URL as sent: Express and others remove the path of a mounted listener from `url`, and leave it elsewhere. */
function wholeUrl(context: Context): string {
  const { originalUrl } = context.req as { readonly originalUrl?: unknown };
  return typeof originalUrl === 'string' ? originalUrl : context.originalUrl;
}

function isBelow(prefix: string, url: string): boolean {
  return url.startsWith(prefix) && ['', '/', '?'].includes(url.charAt(prefix.length));
}

async function withHeaders(options: KoaHostOptions, context: Context, next: Next): Promise<void> {
  context.set(securityHeaders);
  if (options.isTls === true) context.set('Strict-Transport-Security', 'max-age=31536000');
  const origin = context.get('origin');
  if (origin !== '' && options.allowedOrigins?.includes(origin) === true) {
    context.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': exposedHeaders,
    });
    context.append('Vary', 'Origin');
    if (context.method === 'OPTIONS' && context.get('access-control-request-method') !== '') {
      context.set({
        'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
        'Access-Control-Allow-Headers': allowedHeaders,
        'Access-Control-Max-Age': '600',
      });
      context.status = 204;
      return;
    }
  }
  await next();
}

async function withAnswer(service: Service, options: KoaHostOptions, context: Context, next: Next): Promise<void> {
  const started = performance.now();
  const requestId = requestIdOf(context);
  try {
    if (parseUrl(context.originalUrl, 'http://localhost') === undefined) {
      context.req.url = '/'; // No later code can parse the malformed URL.
      throw new ServiceError('refused', 'INVALID_INPUT', 'The URL of the request is malformed.');
    }
    if (neverStored.test(context.path.slice(service.prefix.length))) context.set('Cache-Control', 'no-store');
    await next();
    if (context.status === 404 && context.body === undefined) {
      await send(
        context,
        service.refuse(new ServiceError('not_found', 'NOT_FOUND', 'Not Found'), { requestId }),
        requestId,
      );
    }
  } catch (error) {
    const cause =
      isServiceError(error) || !(error instanceof URIError)
        ? error
        : new ServiceError('refused', 'INVALID_INPUT', 'The path cannot be decoded.');
    await send(context, service.refuse(cause, { requestId }), requestId);
  }
  options.log?.info('request', {
    method: context.method,
    route: (context as { _matchedRoute?: string })._matchedRoute ?? null, // @koa/router leaves the template here.
    status: context.status,
    ms: Math.round(performance.now() - started),
    requestId,
    ip: context.ip,
    ...(context.state['facts'] as Readonly<Record<string, string>> | undefined), // Set by the router.
  });
}
