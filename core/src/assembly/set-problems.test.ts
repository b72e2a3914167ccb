import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { operation, plugin, problemsOf } from '../../test/set-fixture.ts';
import { contribute } from '../container/provider.ts';
import { createToken } from '../container/token.ts';
import { defineEvent } from '../define/event.ts';
import { defineJob } from '../define/job.ts';
import { defineConfig, type Plugin } from '../define/plugin.ts';
import { defineQuery } from '../define/query.ts';
import { defineRoute } from '../define/route.ts';
import { model, openObject } from '../schema/model.ts';
import { pluginPages } from '../services/plugin-pages.ts';
import { defaultSettings, settingsOf } from '../settings/kernel-settings.ts';
import { AssemblyError } from './problems.ts';

type RoutePath = Parameters<typeof defineRoute>[0]['path'];

function route(name: string, path: RoutePath, id = name.replaceAll('-', '_')) {
  return defineRoute({
    name,
    path,
    summary: 'Does something.',
    openapi: { id, tag: 'test' },
    category: null,
    auth: ['bearer'],
    answers: { 200: null },
    fails: [],
    handle: async () => undefined,
  });
}

const query = (name: string, services = {}) =>
  defineQuery({ name, summary: 'Reads.', returns: Type.String(), services, resolve: async () => '' });

describe('paths of a set', () => {
  it('may not be taken from an operation or view by a route, also under an alias (platform X-5a)', () => {
    const books = plugin('books', { domain: 'books', operations: [operation('close')] });
    const problemsWith = (path: RoutePath) =>
      problemsOf([books, plugin('taker', { routes: [route('take', path)] })], { aliases: { books: ['oldbooks'] } });
    const shared = (path: string, name: string) => [
      `route "take" of taker (${path}) and operation "close" of books (POST /extensions/${name}/{graph_id}/operations/close) share a path`,
    ];
    for (const name of ['books', 'oldbooks']) {
      const same = `POST /extensions/${name}/{graph_id}/operations/close` as const;
      expect(problemsWith(same)).toEqual(shared(same, name));
      const one = `GET /extensions/${name}/kg1/operations/close` as const;
      expect(problemsWith(one)).toEqual(shared(one, name));
    }
    expect(problemsWith('POST /extensions/{graph_id}/graphql')).toEqual([
      'route "take" of taker (POST /extensions/{graph_id}/graphql) and the GraphQL endpoint (POST /extensions/{graph_id}/graphql) share a path',
    ]);
    expect(problemsWith('POST /v1/take')).toEqual([]);
  });

  it('may not be shared by two operations', () => {
    const visit = (name: string) => operation(name, undefined, { path: 'POST /v1/graphs/{graph_id}/visit' });
    expect(
      problemsOf([plugin('one', { operations: [visit('visit')] }), plugin('two', { operations: [visit('call')] })]),
    ).toEqual([
      'operation "visit" of one (POST /v1/graphs/{graph_id}/visit) and operation "call" of two (POST /v1/graphs/{graph_id}/visit) share a path',
    ]);
  });

  it('name the same parameters, because a host matches a path before its method', () => {
    const routes = [route('read', 'GET /v1/things/{thing_id}'), route('write', 'PUT /v1/things/{id}')];
    expect(problemsOf([plugin('things', { routes })])).toEqual([
      'route "read" of things (GET /v1/things/{thing_id}) and route "write" of things (PUT /v1/things/{id}) differ only in the names of parameters',
    ]);
    const same = [
      route('read', 'GET /v1/things/{id}'),
      route('write', 'PUT /v1/things/{id}'),
      route('top', 'GET /v1/things/top'),
    ];
    expect(problemsOf([plugin('things', { routes: same })])).toEqual([]);
  });
});

describe('names of a set', () => {
  it('may not be the alias of another domain', () => {
    const set = [plugin('a', { domain: 'books' }), plugin('b', { domain: 'ledger' }), plugin('c', { domain: 'notes' })];
    const aliases = { ledger: ['books'], notes: ['jotter', 'notes', 'Jotter'], absent: ['books', 'jotter'] };
    expect(problemsOf(set, { aliases })).toEqual([
      'the alias "Jotter" of the domain "notes" is not kebab-case, such as "close-period"',
      'domain "books" of a is also an alias of the domain "ledger"',
      'domain "notes" of c is also an alias of itself',
    ]);
    expect(problemsOf(set, { aliases: { ledger: ['old'], notes: ['old'] } })).toEqual([
      'the alias "old" belongs to the domains "ledger" and "notes"',
    ]);
  });

  it('have one OpenAPI id for each documented path, and each tool has a name of its own', () => {
    const mcp = { tool: 'look', hint: 'Looks.' };
    const set = [
      plugin('one', { operations: [operation('look', undefined, { mcp })] }),
      plugin('two', {
        routes: [route('watch', 'GET /v1/watch', 'look')],
        operations: [operation('see', undefined, { mcp })],
      }),
    ];
    expect(problemsOf(set)).toEqual([
      'tool "look" is contributed by one and two',
      'OpenAPI id "look" is contributed by one and two',
    ]);
  });

  it('of pages are a segment of a path', () => {
    const create = () => ({ title: 'Claims', summary: 'Claims.', body: () => '' });
    expect(problemsOf([plugin('a', { contributions: [contribute(pluginPages, 'Claims/all', { create })] })])).toEqual([
      'page "Claims/all" of a is not kebab-case, such as "close-period"',
    ]);
  });

  it('are well-formed, and the message shows the form', () => {
    const badly = {
      domain: 'Books',
      version: 'one',
      operations: [
        operation('closePeriod', undefined, {
          errors: { notOpen: 'It is not open.' },
          openapi: { id: 'close period', tag: 't' },
        }),
      ],
      queries: [query('fiscal-calendar')],
      routes: [route('Watch', '/v1/watch' as RoutePath)],
      events: [defineEvent('period-closed', model('PeriodClosed', {}))],
      jobs: [
        defineJob({
          name: 'tidyUp',
          summary: 'Tidies.',
          everySeconds: 60,
          maxSeconds: 5,
          handle: async () => undefined,
        }),
      ],
    };
    expect(problemsOf([plugin('close-', badly)])).toEqual([
      'plugin "close-" is not kebab-case, such as "close-period"',
      'domain "Books" of close- is not kebab-case, such as "close-period"',
      'version "one" of close- is not a version, such as "1.2.3"',
      'operation "closePeriod" of close- is not kebab-case, such as "close-period"',
      'OpenAPI id "close period" of close- is not a name of letters, digits and _, such as "close_period"',
      'error code "notOpen" of close- is not SCREAMING_SNAKE, such as "ALREADY_CLOSED"',
      'route "Watch" of close- is not kebab-case, such as "close-period"',
      'path "/v1/watch" of close- is not a method and a path, such as "GET /v1/notes/{note_id}"',
      'query "fiscal-calendar" of close- is not camelCase, such as "fiscalCalendar"',
      'job "tidyUp" of close- is not kebab-case, such as "close-period"',
      'event "period-closed" of close- does not begin with its plugin, such as "close-.period-closed"',
    ]);
  });
});

describe('events of a set', () => {
  const closed = defineEvent('books.closed', model('Closed', {}));
  const job = defineJob({
    name: 'on-close',
    summary: 'Acts.',
    on: closed,
    maxSeconds: 5,
    handle: async () => undefined,
  });

  it('are declared by the plugin that emits them, and by a plugin of the set if a job subscribes', () => {
    const close = operation('close', undefined, { emits: [closed] });
    expect(problemsOf([plugin('books', { operations: [close] }), plugin('desk', { jobs: [job] })])).toEqual([
      'operation "close" of books emits "books.closed", which is not in the events of books',
      'job "on-close" of desk subscribes to "books.closed", which no plugin declares',
    ]);
    const books = plugin('books', { operations: [close], events: [closed] });
    expect(problemsOf([books, plugin('desk', { jobs: [job] })])).toEqual([]);
  });
});

describe('problems of a set', () => {
  it('are listed below the problem that they follow from, at most three of them', () => {
    const tokens = [1, 2, 3, 4, 5].map((number) => createToken<number>(`books.service-${number}`));
    const queries = tokens.map((token, index) => query(`read${index}`, { token }));
    const follows = (index: number) =>
      `  - query "read${index}" of desk needs the service "books.service-${index + 1}", which no plugin provides`;
    expect(problemsOf([plugin('desk', { dependsOn: ['books'], queries })])).toEqual([
      [
        'desk needs the plugin "books", which is not enabled',
        follows(0),
        follows(1),
        follows(2),
        '  - and 2 more',
      ].join('\n'),
    ]);
  });

  it('read as the readme of the package shows them (platform X-5a)', async () => {
    const balances = createToken<number>('books.balances');
    const take = route('take', 'POST /v1/graphs/{graph_id}/operations/materialize');
    const problems = problemsOf([
      plugin('graph', { operations: [operation('materialize')] }),
      plugin('desk', { dependsOn: ['books'], queries: [query('balance', { balances })], routes: [take] }),
    ]);
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(`\n${new AssemblyError(problems).message}\n`);
  });

  it('are one problem for a plugin that is in the list twice', () => {
    const books = () =>
      plugin('books', { domain: 'books', operations: [operation('close')], queries: [query('closed')] });
    expect(problemsOf([books(), books()])).toEqual([
      'plugin "books" is in the list twice; only the first is checked further',
    ]);
  });
});

describe('plugins of a set', () => {
  it('are the plugins themselves, not modules or nothing', () => {
    const set: readonly unknown[] = [{ default: plugin('books') }, undefined, plugin('fine'), { name: 'plain' }];
    expect(problemsOf(set as readonly Plugin[])).toEqual([
      'plugins[0] is the module of the plugin "books": pass its default export',
      'plugins[1] is undefined: modules that import each other are one cause',
      'plugins[3] is not a plugin: make it with definePlugin',
    ]);
    expect(problemsOf(plugin('books') as unknown as readonly Plugin[])).toEqual([
      'the option "plugins" must be a list of plugins',
    ]);
  });

  it('list parts and services that exist, each in the list of its kind', () => {
    const part = operation('close');
    const lists = { operations: [undefined, part], views: [part], queries: [query('rate', { rates: undefined })] };
    expect(problemsOf([plugin('books', lists as object)])).toEqual([
      'operations[0] of books is undefined: modules that import each other are one cause',
      'views[0] of books is not made with defineView',
    ]);
    expect(problemsOf([plugin('books', { queries: lists.queries })])).toEqual([
      'the service "rates" of query "rate" of books is undefined: modules that import each other are one cause',
    ]);
    expect(problemsOf([], { aliases: { books: 'oldbooks' as never } })).toEqual([
      'the aliases of the domain "books" must be a list of names',
    ]);
  });

  it('state the kernel versions that they were tested with as a semver range (platform X-7)', () => {
    const problemsWith = (kernel: string) => problemsOf([plugin('books', { kernel })]);
    for (const range of ['^0.1.0', '~0.1.0', '0.1.x', '>=0.1.0 <2', '^0.0.9 || ^0.1.0', '*'])
      expect(problemsWith(range)).toEqual([]);
    for (const range of ['^0.2.0', '>=1', '0.0.x', '>0.1.0'])
      expect(problemsWith(range)).toEqual([`books was made for kernel ${range}, this is 0.1.0`]);
    expect(problemsWith('newest')).toEqual([
      'books states the kernel range "newest", which is not a semver range, such as "^1.2.0"',
    ]);
    expect(problemsOf([plugin('books', { kernel: '^9.0.0' })], { waiveKernelRange: ['books'] })).toEqual([]);
  });

  it('get a configuration that their schema knows, at every depth (platform X-11)', () => {
    const schema = model('OvenConfig', {
      heat: model('Heat', { top: Type.Integer({ default: 1 }) }),
      extra: Type.Optional(openObject()),
    });
    const oven = plugin('oven', {
      config: defineConfig(createToken<{ heat: { top: number } }>('oven.config'), schema),
    });
    expect(problemsOf([oven.with({ heat: { top: 3 }, extra: { any: 1 } })])).toEqual([]);
    expect(problemsOf([oven.with({ heat: { top: 3, bottom: 2 }, haet: 1 })])).toEqual([
      'The configuration of oven is not valid: heat.bottom: unknown setting; haet: unknown setting',
    ]);
    expect(problemsOf([oven])).toEqual(['The configuration of oven is not valid: heat: Field required']);
    expect(() => plugin('bare').with({ heat: 1 })).toThrow(
      'The plugin bare has no configuration, so heat cannot be set.',
    );
  });
});

describe('settings of a set', () => {
  it('exist and have the type of their defaults (platform section 20)', () => {
    const settings = {
      rateLimit: {},
      sse: { max: 3, maxPerUser: '3' },
      auth: false,
      email: null,
      orgs: { maxGraphs: -2 },
    };
    expect(problemsOf([], { settings: settings as never })).toEqual([
      'The setting rateLimit does not exist.',
      'The setting sse.max does not exist.',
      'The setting sse.maxPerUser must be a number, not "3".',
      'The setting auth must be an object, not false.',
      'The setting email must be an object, not null.',
      'The setting orgs.maxGraphs must be at least -1, not -2.',
    ]);
    expect(problemsOf([], { settings: null as never })).toEqual(['The settings must be an object.']);
    expect(settingsOf({ sse: { maxPerUser: undefined }, email: undefined } as never)).toEqual(defaultSettings);
  });
});
