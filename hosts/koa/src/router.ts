import Router from '@koa/router';
import { ServiceError } from '@pacioli/core';
import type { Endpoint, Service } from '@pacioli/core/assembly';
import type { Context } from 'koa';
import { requestIdOf, toHttpRequest } from './request.ts';
import { send } from './send.ts';

/** The router of a deployment, below its prefix. */
export function createRouter(service: Service): Router {
  const router = new Router(service.prefix === '' ? {} : { prefix: service.prefix });
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of service.endpoints) byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint]);
  for (const [path, endpoints] of byPath) {
    const byMethod = new Map(endpoints.map((endpoint) => [endpoint.method, endpoint]));
    router.all(path.replaceAll(/\{([^}]+)\}/g, ':$1'), (context) => answer(service, byMethod, context));
  }
  router.get('/openapi.json', (context) => {
    context.body = service.openapi;
  });
  router.get('/schema.graphql', (context) => {
    context.type = 'text/plain; charset=utf-8';
    context.body = service.sdl;
  });
  return router;
}

async function answer(
  service: Service,
  byMethod: ReadonlyMap<string, Endpoint>,
  context: Context & { params: Record<string, string> },
): Promise<void> {
  const requestId = requestIdOf(context);
  const endpoint = byMethod.get(context.method === 'HEAD' ? 'GET' : context.method);
  if (endpoint === undefined) {
    // The path exists, so the response names the methods that it accepts (platform E-7).
    const allow = [...byMethod.keys()].sort().join(', ');
    const error = new ServiceError(
      'method_not_allowed',
      'METHOD_NOT_ALLOWED',
      `Method Not Allowed. This path accepts ${allow}.`,
      { headers: { Allow: allow } },
    );
    await send(context, service.refuse(error, { requestId }), requestId);
    return;
  }
  const request = toHttpRequest(context, `${endpoint.method} ${endpoint.path}`, context.params, requestId);
  const given = await service.handle(endpoint, request);
  context.state['facts'] = given.facts;
  try {
    await send(context, given, requestId);
  } catch (error) {
    await send(context, service.refuse(error, { requestId }), requestId); // The first chunk of a stream failed.
  }
}
