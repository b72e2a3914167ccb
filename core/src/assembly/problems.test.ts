import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { operation, plugin, problemsOf } from '../../test/set-fixture.ts';
import { contribute, provide, providePart } from '../container/provider.ts';
import { createCollection, createToken } from '../container/token.ts';
import type { Plugin } from '../define/plugin.ts';
import { defineQuery } from '../define/query.ts';
import { model, nullable, openObject } from '../schema/model.ts';
import { describeSet } from './describe-set.ts';
import { sortPlugins } from './sort-plugins.ts';

const secondService = createToken<number>('second.service');
const loopA = createToken<number>('loop.a');
const loopB = createToken<number>('loop.b');
const loopEntries = createCollection<{ readonly key: string; readonly value: number }>('loop.entries');

describe('assembly', () => {
  it('reports all problems of a set of plugins in one error and names the plugins involved', () => {
    const problems = problemsOf([
      plugin('first', { domain: 'books', operations: [operation('close')], kernel: '^9.0.0' }),
      plugin('second', { domain: 'books', operations: [operation('close')] }),
      plugin('third', { dependsOn: ['missing'] }),
    ]);
    expect(problems).toEqual([
      'first was made for kernel ^9.0.0, this is 0.1.0',
      'third needs the plugin "missing", which is not enabled',
      [
        'domain "books" is contributed by first and second',
        '  - operation "books/close" is contributed by first and second',
        '  - OpenAPI id "close" is contributed by first and second',
      ].join('\n'),
    ]);
  });

  it('rejects an identity that does not say who calls or who has proved an address (platform X-10)', () => {
    const identity = { providers: [], contributions: [], routes: [], jobs: [], events: [] };
    expect(problemsOf([], { identity })).toEqual([
      'start of kernel needs the service "kernel.authenticator", which no plugin provides',
      'service "kernel.graph-admission" of kernel needs the service "kernel.verified-users", which no plugin provides',
      'service "kernel.change-feed" of kernel needs the service "kernel.authenticator", which no plugin provides',
    ]);
  });

  it('rejects a plugin that declares a table or function without its own name as the prefix (platform X-5)', () => {
    const tables = { close_tools_run: {}, kernel_user: {}, '*': {} };
    const problems = problemsOf([plugin('close-tools', { tables, securityDefinerFunctions: ['ledger_read_all'] })]);
    expect(problems).toEqual([
      'close-tools declares "kernel_user", whose name does not begin with "close_tools_"',
      'close-tools declares "ledger_read_all", whose name does not begin with "close_tools_"',
    ]);
  });

  it('rejects a query whose longest page exceeds the cost limit of a request (platform E-24)', () => {
    const pagedQuery = (name: string, points: number) =>
      defineQuery({
        name,
        summary: 'Rows.',
        args: model(`${name}Args`, { limit: Type.Optional(Type.Integer()) }),
        returns: Type.Integer(),
        cost: { points },
        resolve: async () => 1,
      });
    expect(problemsOf([plugin('first', { queries: [pagedQuery('fits', 50), pagedQuery('exceeds', 51)] })])).toEqual([
      'the longest page of query "exceeds" costs 1020 points, and a request may cost 1000',
    ]);
  });

  it('rejects an argument of a query that GraphQL cannot take as input, before its first request', () => {
    const span = model('Span', { from: Type.String(), to: Type.String() });
    const query = defineQuery({
      name: 'rows',
      summary: 'Rows.',
      args: model('RowsArgs', {
        span: Type.Optional(nullable(span)),
        spans: Type.Array(span),
        filter: openObject(),
        names: Type.Array(Type.String()),
      }),
      returns: Type.Integer(),
      resolve: async () => 1,
    });
    const advice =
      'of query "rows" is an object, which cannot be an input of GraphQL; use one argument for each field, or openObject()';
    expect(problemsOf([plugin('first', { queries: [query] })])).toEqual([
      `the argument "span" ${advice}`,
      `the argument "spans" ${advice}`,
    ]);
  });

  it('rejects a circular dependency between plugins', () => {
    expect(problemsOf([plugin('one', { dependsOn: ['two'] }), plugin('two', { dependsOn: ['one'] })])).toEqual([
      'these plugins depend on each other in a cycle: one, two',
    ]);
  });

  it('rejects a part that uses a service without a provider, or of a plugin missing from dependsOn', () => {
    const consumer = defineQuery({
      name: 'consumer',
      summary: 'Uses a service of another plugin.',
      returns: Type.String(),
      services: { secondService },
      resolve: async () => '',
    });
    expect(problemsOf([plugin('first', { queries: [consumer] })])).toEqual([
      'query "consumer" of first needs the service "second.service", which no plugin provides',
    ]);
    const second = plugin('second', { providers: [provide(secondService, { create: () => 1 })] });
    expect(problemsOf([plugin('first', { queries: [consumer] }), second])).toEqual([
      `query "consumer" of first uses "second.service" without dependsOn: ['second']`,
    ]);
    expect(problemsOf([plugin('first', { queries: [consumer], dependsOn: ['second'] }), second])).toEqual([]);
  });

  it('rejects a circular dependency between services', () => {
    const providers = [
      provide(loopA, { services: { b: loopB }, create: (use) => use.b }),
      provide(loopB, { services: { a: loopA }, create: (use) => use.a }),
    ];
    expect(problemsOf([plugin('loop', { providers })])).toEqual([
      'these services depend on each other in a cycle: loop.a → loop.b → loop.a',
    ]);
  });

  it('rejects a circular dependency between services through a collection and names the contributed entry', () => {
    const providers = [
      provide(loopA, { services: { entries: loopEntries }, create: (use) => use.entries.length }),
      provide(loopB, { services: { a: loopA }, create: (use) => use.a }),
    ];
    const contributions = [
      contribute(loopEntries, 'plain', { create: () => ({ value: 1 }) }),
      contribute(loopEntries, 'bad', { services: { b: loopB }, create: (use) => ({ value: use.b }) }),
    ];
    expect(problemsOf([plugin('loop', { providers, contributions })])).toEqual([
      'these services depend on each other in a cycle: loop.a → loop.entries → entry "bad" of loop.entries → loop.b → loop.a',
    ]);
    expect(problemsOf([plugin('loop', { providers, contributions: contributions.slice(0, 1) })])).toEqual([]);
  });

  it('rejects an override of a part of a service, which would not reach the service itself (platform X-12)', () => {
    const whole = createToken<{ readonly part: number }>('first.whole');
    const part = createToken<number>('first.part');
    const providers = [provide(whole, { create: () => ({ part: 1 }) }), providePart(part, whole, (all) => all.part)];
    const first = plugin('first', { providers });
    expect(problemsOf([first], { override: [provide(whole, { create: () => ({ part: 2 }) })] })).toEqual([]);
    expect(problemsOf([first], { override: [provide(part, { create: () => 2 })] })).toEqual([
      'the host overrides "first.part", but it is a part of "first.whole", which would continue to use its own; ' +
        'remove the override',
    ]);
  });

  it('rejects two different models with the same title', () => {
    const problems = problemsOf([
      plugin('first', { domain: 'a', operations: [operation('do-a', model('Same', { x: Type.String() }))] }),
      plugin('second', { domain: 'b', operations: [operation('do-b', model('Same', { x: Type.Integer() }))] }),
    ]);
    expect(problems).toEqual(['the model "Same" of second differs from the one of first']);
  });

  it('mounts an operation in the domain of another plugin only if that plugin is in the set', () => {
    const contributor = plugin('contributor', { operations: [{ ...operation('visit'), domain: 'books' }] });
    const owner = plugin('owner', { domain: 'books' });
    const paths = (plugins: readonly Plugin[]) =>
      describeSet({ plugins, aliases: { books: ['oldbooks'] } }).endpoints.map((endpoint) => endpoint.path);
    expect(paths([contributor])).not.toContain('/extensions/books/{graph_id}/operations/visit');
    expect(paths([contributor, owner])).toEqual(
      expect.arrayContaining([
        '/extensions/books/{graph_id}/operations/visit',
        '/extensions/oldbooks/{graph_id}/operations/visit',
      ]),
    );
  });

  it('sorts plugins and composes documents independently of the order of the list', () => {
    const set = [
      plugin('alpha', { domain: 'alpha', operations: [operation('run-alpha')] }),
      plugin('beta', { domain: 'beta', dependsOn: ['alpha'], operations: [operation('run-beta')] }),
      plugin('gamma', { dependsOn: ['beta'] }),
      plugin('delta', { domain: 'delta', operations: [operation('run-delta')] }),
    ];
    const expected = JSON.stringify(describeSet({ plugins: set }));
    fc.assert(
      fc.property(fc.shuffledSubarray(set, { minLength: set.length }), (shuffled) => {
        expect(JSON.stringify(describeSet({ plugins: shuffled }))).toBe(expected);
        const names = sortPlugins(shuffled).ordered.map((each) => each.name);
        expect(names).toEqual(['alpha', 'beta', 'delta', 'gamma']);
      }),
      { numRuns: 24 },
    );
  });
});

describe('tokens of a set', () => {
  it('are objects: one made anew with the name of another does not reach its service (platform X-13)', () => {
    const forged = createToken<number>('second.service');
    const second = plugin('second', { providers: [provide(secondService, { create: () => 2 })] });
    const query = (token: typeof secondService) =>
      defineQuery({
        name: 'consumer',
        summary: 'Reads.',
        returns: Type.Integer(),
        services: { token },
        resolve: async ({ use }) => use.token,
      });
    const first = (token: typeof secondService) => plugin('first', { dependsOn: ['second'], queries: [query(token)] });
    expect(problemsOf([second, first(secondService)])).toEqual([]);
    expect(problemsOf([second, first(forged)])).toEqual([
      'second and first have different tokens of the name "second.service". Import the token from the package that exports it, and install that package only once (npm dedupe)',
    ]);
  });

  it('are objects also for collections, so that an entry of a second copy is not lost silently (platform X-13)', () => {
    const copy = createCollection<{ readonly key: string; readonly value: number }>('loop.entries');
    const owner = plugin('loop', {
      providers: [provide(loopA, { services: { loopEntries }, create: () => 1 })],
    });
    const other = plugin('other', {
      dependsOn: ['loop'],
      contributions: [contribute(copy, 'one', { create: () => ({ value: 1 }) })],
    });
    expect(problemsOf([owner, other])).toEqual([
      'loop and other have different tokens of the name "loop.entries". Import the token from the package that exports it, and install that package only once (npm dedupe)',
    ]);
  });
});

describe('entries of a collection', () => {
  const entry = (key: string, place: { readonly before?: readonly string[]; readonly after?: readonly string[] }) =>
    contribute(loopEntries, key, { ...place, create: () => ({ value: 1 }) });
  const problemsWith = (...contributions: readonly ReturnType<typeof entry>[]) =>
    problemsOf([plugin('loop', {}), plugin('other', { dependsOn: ['loop'], contributions })]);

  it('name only entries that are there, and do not precede each other (platform X-16)', () => {
    expect(problemsWith(entry('a', { after: ['b'] }), entry('b', {}))).toEqual([]);
    expect(problemsWith(entry('a', { after: ['c'] }), entry('b', {}))).toEqual([
      'entry "a" of loop.entries is ordered before or after "c", which is not an entry of it',
    ]);
    expect(problemsWith(entry('a', { after: ['b'] }), entry('b', { after: ['a'] }))).toEqual([
      'the entries "a", "b" of loop.entries precede each other',
    ]);
  });
});
