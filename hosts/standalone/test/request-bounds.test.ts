import type { Query } from '@pacioli/core';
import type { Endpoint } from '@pacioli/core/assembly';
import { type Answer, orgIdOf, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';

/**
 * Goal: no part accepts a meaningless body or page. Method: the parts come from the definitions of all plugins, so that
 * a new one is tested without a new line here.
 */
const noObjects = ['null', '[]', '[{}]', '"text"', '0', 'true'];
const unknownIds: Readonly<Record<string, string>> = {
  operation_id: 'op_01JQ0000000000000000000000',
  backup_id: 'bak_1',
};

let service: TestService;
let user: TestClient;
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await startTestService({ plugins, aliases });
  user = await service.newUser('Ann');
  const { extensions } = (await user.get('/v1/graphs/extensions')).body;
  const graphId = await user.createGraph(
    'Bounds',
    extensions.map(({ name }: { name: string }) => name),
  );
  ids = { ...unknownIds, graph_id: graphId, org_id: await orgIdOf(user) };
});
afterAll(() => service.close());

function call({ method, path }: Pick<Endpoint, 'method' | 'path'>, body?: string, query = ''): Promise<Answer> {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
  return user.request(method, `${filled}${query}`, body);
}

function takesObject(endpoint: Endpoint): boolean {
  if (endpoint.kind === 'explorer') return false;
  return endpoint.kind !== 'route' || endpoint.mounted.route.body !== undefined;
}

describe('JSON body that is not an object', () => {
  it('is rejected wherever an object is expected, like a body that is not JSON (platform N-8, E-3)', async () => {
    const targets = service.service.endpoints.filter(takesObject);
    expect(targets.length).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const target of targets) {
      // Some parts reject the caller before they parse the body, which gives the same status for every body.
      const malformed = await call(target, '{');
      for (const text of noObjects) {
        const { status, body } = await call(target, text);
        const isRefused = malformed.status === 422 && body?.code === 'INVALID_INPUT';
        if (status !== malformed.status || !(isRefused || malformed.status === 404 || malformed.status === 403))
          wrong.push(`${target.method} ${target.path} ${text}: ${status} for ${malformed.status}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('negative offset', () => {
  const queries: readonly Query[] = plugins.flatMap((plugin) => plugin.queries);
  const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const properties = ({ args }: Query): Readonly<Record<string, unknown>> => args?.properties ?? {};

  it.each(queries.filter((query) => 'offset' in properties(query)).map((query) => [query.name, query] as const))(
    'is rejected by %s (platform E-22)',
    async (name, query) => {
      const required: readonly string[] = query.args?.required ?? [];
      const given = required.map((argument) => `${camel(argument)}: "unknown"`);
      const read = `{ ${name}(${[...given, 'offset: -1'].join(', ')}) { __typename } }`;
      const { body } = await user.graphql(ids['graph_id'] ?? '', read);
      expect(body.errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
        'INVALID_PAGINATION',
      ]);
    },
  );

  it('or a limit below one is rejected by its name by every route that has pages (platform E-3)', async () => {
    const paged = service.service.endpoints.flatMap((endpoint) => {
      const names = endpoint.kind === 'route' ? Object.keys(endpoint.mounted.route.query?.properties ?? {}) : [];
      return names
        .filter((name) => ['limit', 'offset', 'chunk_size', 'days'].includes(name))
        .map((name) => ({ endpoint, name }));
    });
    expect(paged.length).toBeGreaterThan(4);
    for (const { endpoint, name } of paged) {
      const { status, body } = await call(
        endpoint,
        endpoint.method === 'GET' ? undefined : '{"query":"RETURN 1"}',
        `?${name}=-1`,
      );
      const { loc = [], msg = '' } = body.detail?.[0] ?? {};
      const isNamed = loc.at(-1) === name || msg.startsWith(`${name} must`);
      expect([endpoint.path, status, isNamed]).toEqual([endpoint.path, 422, true]);
    }
  });
});
