import type { Plugin, Store } from '@pacioli/core';
import { type Aliases, describeSet, kernelPlugin, migrationSets, sortPlugins } from '@pacioli/core/assembly';
import type { GraphStore } from '@pacioli/core/ports';
import { openTestStore, startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConformanceCase } from './define-case.ts';
import { genericCases } from './generic-cases.ts';
import { declaredErrors, SeenErrors } from './plugin-suite/declared-errors.ts';
import { testDisabledPlugin } from './plugin-suite/disabled-plugin.ts';
import { exampleCases } from './plugin-suite/example-cases.ts';
import { type PluginSet, startSet } from './plugin-suite/plugin-set.ts';
import { testFieldTenants, testQueryTenants } from './plugin-suite/query-tenants.ts';
import { eventJobs, type SamplePayloads, testRepeatedEvents } from './plugin-suite/repeated-events.ts';
import { samplesOf } from './plugin-suite/sample-parents.ts';
import type { SampleRows } from './plugin-suite/sample-rows.ts';
import { testTableIsolation } from './plugin-suite/table-isolation-tests.ts';
import { migrationNames, testUpgrade } from './plugin-suite/upgrade.ts';
import { runCase } from './run-case.ts';
import { RunResources } from './run-resources.ts';
import { servedOf } from './served.ts';

export interface DescribePluginOptions {
  /** The other plugins of the tested set, including all dependencies of the plugin. */
  readonly with?: readonly Plugin[];
  /** Cases in addition to the generic ones, which are derived from the documents. */
  readonly cases?: readonly ConformanceCase[];
  readonly aliases?: Aliases;
  /** Opens drivers that the set needs in addition to the embedded store, for instance a graph store. */
  openDrivers?(): Promise<{ readonly graphStore?: GraphStore; close(): Promise<void> }>;
  /** Column values for tables whose checks or triggers reject the generated rows. */
  readonly sampleRows?: SampleRows;
  /** Generic cases that the plugin fails, each with the reason; one that passes fails the test. */
  readonly expectedFailures?: Readonly<Record<string, string>>;
  /** Payloads for events whose handlers reject the generated ones. */
  readonly samplePayloads?: SamplePayloads;
  /**
   * Declared errors that neither a case nor an example provokes, such as `close-month NOT_READY`, each with the reason
   * or the test that does; one that is provoked fails the test.
   */
  readonly explainedErrors?: Readonly<Record<string, string>>;
  /** The last migration of the last release; by default the last but one. */
  readonly releasedThrough?: string;
}

/** Longer than the limit of `runCase`, so that a case that is too slow fails with its message. */
const testTimeoutMs = 200_000;

/**
 * Declares the complete Vitest suite for a plugin: it assembles whatever the order of the plugins, its tables isolate
 * graphs, and its operations, views and routes pass the generic cases, and its own cases, over HTTP against a service
 * with embedded drivers. It needs no database server and no network.
 */
export function describePlugin(plugin: Plugin, options: DescribePluginOptions = {}): void {
  const others = options.with ?? [];
  const all = [plugin, ...others];
  const aliases = options.aliases ?? {};
  describe(`plugin ${plugin.name}`, () => {
    describeAssembly(plugin, others, aliases);
    describeTables(plugin, options);
    const { openapi, sdl, endpoints } = describeSet({ plugins: all, aliases });
    const partNames = new Set([...plugin.operations, ...plugin.views, ...plugin.routes].map(({ name }) => name));
    const ownEndpoints = new Set(
      endpoints.filter(({ name }) => partNames.has(name)).map(({ method, path }) => `${method} ${path}`),
    );
    const served = servedOf(openapi, sdl);
    const ownOperations = served.operations.filter(({ name }) => ownEndpoints.has(name));
    const cases = [
      ...genericCases({ ...served, operations: ownOperations }),
      ...exampleCases(plugin),
      ...(options.cases ?? []),
    ];
    it('lists only existing cases as expected failures', () => {
      const ids = new Set(cases.map(({ id }) => id));
      expect(Object.keys(options.expectedFailures ?? {}).filter((id) => !ids.has(id))).toEqual([]);
    });
    const errors = new SeenErrors();
    if (cases.length > 0) describeCases(cases, () => startService(all, options, errors));
    describeErrors(plugin, errors, options.explainedErrors ?? {});
    describeRows(plugin, options);
  });
}

/** Runs after the cases, which provoke the errors. */
function describeErrors(plugin: Plugin, errors: SeenErrors, explained: Readonly<Record<string, string>>): void {
  it('answers each declared error in a case or an example, or explains it (platform X-9a)', () => {
    const declared = declaredErrors(plugin);
    const uncovered = declared.filter((error) => !errors.has(error) && explained[error] === undefined);
    const inVain = Object.keys(explained).filter((error) => !declared.includes(error) || errors.has(error));
    const advice =
      "Provoke each of `uncovered` by an example with `fails: 'CODE'` or by a case, or give the reason why not: " +
      "describePlugin(plugin, { explainedErrors: { 'operation CODE': 'reason' } }). Remove those in `inVain` from there.";
    expect({ uncovered, inVain }, advice).toEqual({ uncovered: [], inVain: [] });
  });
  it('answers no internal error, as one that is not declared (platform X-9a, X-9c)', () => {
    expect(errors.internal(plugin)).toEqual([]);
  });
}

/** Declares the tests that change the rows or the set of a running service. */
function describeRows(plugin: Plugin, options: DescribePluginOptions): void {
  const set: PluginSet = {
    plugin,
    others: options.with ?? [],
    aliases: options.aliases ?? {},
    samples: options.sampleRows ?? {},
  };
  const withService = async (
    work: (service: TestService) => Promise<void>,
    extra: readonly Plugin[] = [],
  ): Promise<void> => {
    const service = await startSet({ ...set, others: [...set.others, ...extra] });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  };
  if (plugin.queries.length > 0)
    it('answers no query with rows of another graph (platform X-9a)', { timeout: testTimeoutMs }, () =>
      withService(async (service) => {
        const outcomes = await testQueryTenants(set, service);
        expect(outcomes).toEqual(Object.fromEntries(plugin.queries.map(({ name }) => [name, 'isolated'])));
      }),
    );
  if (plugin.fields.length > 0)
    it('answers no field with rows of another graph (platform X-9a)', { timeout: testTimeoutMs }, () =>
      withService(
        async (service) => {
          const outcomes = await testFieldTenants(set, service);
          expect(outcomes).toEqual(
            Object.fromEntries(plugin.fields.map(({ on, name }) => [`${on}.${name}`, 'isolated'])),
          );
        },
        [samplesOf(set)],
      ),
    );
  const jobs = eventJobs(set);
  if (jobs.length > 0)
    it('handles an event that is delivered twice once (platform X-9a)', { timeout: testTimeoutMs }, () =>
      withService(async (service) => {
        const outcomes = await testRepeatedEvents(set, service, options.samplePayloads ?? {});
        expect(outcomes).toEqual(Object.fromEntries(jobs.map(({ name }) => [name, 'idempotent'])));
      }),
    );
  if (plugin.migrations !== undefined) describeStored(set, options.releasedThrough);
}

/** Declares the tests of rows that outlive a version or an absence of the plugin. */
function describeStored(set: PluginSet, releasedThrough: string | undefined): void {
  const withStore = async (work: (store: Store) => Promise<void>): Promise<void> => {
    const { store, dispose } = await openTestStore();
    try {
      await work(store);
    } finally {
      await dispose();
    }
  };
  it('keeps its rows while it is disabled (platform X-5)', { timeout: testTimeoutMs }, () =>
    withStore(async (store) => {
      const { before, whileDisabled, after, statuses } = await testDisabledPlugin(set, store);
      expect({ whileDisabled, after }).toEqual({ whileDisabled: before, after: before });
      expect(statuses).toEqual(Object.fromEntries(Object.keys(statuses).map((name) => [name, 404])));
    }),
  );
  const names = migrationNames(set);
  const from = releasedThrough ?? names.at(-2);
  if (from === undefined) return; // With a single migration there is nothing to upgrade.
  it('keeps rows of the last release when it is upgraded (platform X-9a)', { timeout: testTimeoutMs }, async () => {
    expect(names).toContain(from);
    await withStore(async (store) => {
      const { before, after } = await testUpgrade(set, store, from);
      expect(after).toEqual(before);
    });
  });
}

function describeAssembly(plugin: Plugin, others: readonly Plugin[], aliases: Aliases): void {
  it('assembles with no other plugins than its dependencies', () => {
    const plugins = [plugin, ...dependenciesOf(plugin, others)];
    expect(describeSet({ plugins, aliases }).plugins.map(({ name }) => name)).toContain(plugin.name);
  });

  it('produces the same documents in any order of the plugins', () => {
    const all = [plugin, ...others];
    const first = describeSet({ plugins: all, aliases });
    const rotations = all.map((_plugin, index) => [...all.slice(index), ...all.slice(0, index)]);
    for (const plugins of [...rotations, ...rotations.map((rotation) => rotation.toReversed())]) {
      const again = describeSet({ plugins, aliases });
      expect({ openapi: again.openapi, sdl: again.sdl }).toEqual({ openapi: first.openapi, sdl: first.sdl });
    }
  });
}

/** Declares the test that every table of the plugin isolates the rows of two graphs; it opens a store of its own. */
export function describeTables(plugin: Plugin, options: Pick<DescribePluginOptions, 'with' | 'sampleRows'>): void {
  if (plugin.migrations === undefined) return;
  it('isolates the rows of two graphs in each of its tables', { timeout: testTimeoutMs }, async () => {
    const all = [kernelPlugin, plugin, ...dependenciesOf(plugin, options.with ?? [])];
    const { store, dispose } = await openTestStore();
    try {
      await store.migrate(migrationSets(sortPlugins(all).ordered));
      const pluginNames = all.map(({ name }) => name);
      const outcomes = await testTableIsolation({ store, plugin, pluginNames, samples: options.sampleRows ?? {} });
      expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((table) => [table, 'isolated'])));
    } finally {
      await dispose();
    }
  });
}

/** Returns the direct and indirect dependencies of the plugin that are among `others`. */
function dependenciesOf(plugin: Plugin, others: readonly Plugin[]): readonly Plugin[] {
  const found = new Map<string, Plugin>();
  const add = (name: string): void => {
    const dependency = others.find((each) => each.name === name);
    if (dependency === undefined || found.has(name)) return; // Assembly reports a missing dependency.
    found.set(name, dependency);
    for (const each of dependency.dependsOn) add(each);
  };
  for (const name of plugin.dependsOn) add(name);
  return [...found.values()];
}

/** A running service and the resources that its cases share. */
interface RunningService {
  readonly resources: RunResources;
  readonly expectedFailures: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

async function startService(
  plugins: readonly Plugin[],
  options: DescribePluginOptions,
  errors: SeenErrors,
): Promise<RunningService> {
  const drivers = await options.openDrivers?.();
  let service: TestService;
  try {
    service = await startTestService({
      plugins,
      ...(options.aliases === undefined ? {} : { aliases: options.aliases }),
      ...(drivers?.graphStore === undefined ? {} : { graphStore: drivers.graphStore }),
    });
  } catch (error) {
    await drivers?.close();
    throw error;
  }
  const served = servedOf(service.service.openapi, service.service.sdl);
  return {
    resources: new RunResources(service.url, served, undefined, { answered: (answer) => errors.observe(answer) }),
    expectedFailures: new Map(Object.entries(options.expectedFailures ?? {})),
    close: async () => {
      await service.close();
      await drivers?.close();
    },
  };
}

function describeCases(cases: readonly ConformanceCase[], start: () => Promise<RunningService>): void {
  let running: RunningService | undefined;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running?.close());

  for (const each of cases) {
    it(`${each.id}: ${each.title}`, { timeout: testTimeoutMs }, async (context) => {
      if (running === undefined) throw new Error('The service did not start.');
      const { outcome, messages } = await runCase(running.resources, each);
      if (outcome === 'skipped') context.skip(messages[0]);
      const reason = running.expectedFailures.get(each.id);
      const expected = reason === undefined ? 'passed' : 'failed';
      expect(
        outcome,
        reason === undefined ? messages.join('\n') : `${each.id} passes now; remove it from the list`,
      ).toBe(expected);
    });
  }
}
