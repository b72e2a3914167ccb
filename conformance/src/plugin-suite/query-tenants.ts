import type { Store } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { graphWith, type PluginSet, writeSampleRows } from './plugin-set.ts';
import { fieldTexts, queryTexts } from './query-texts.ts';

/** Arguments that are tried at most; ids of sample rows are among them. */
const maxTexts = 20;

/** Builds the GraphQL texts for a schema, by what they read. */
type Texts = (sdl: string, text: string) => Readonly<Record<string, string>>;

/** Tests the queries of the plugin; returns `isolated` for each, or what changed. */
export function testQueryTenants(set: PluginSet, service: TestService): Promise<Record<string, string>> {
  const names = set.plugin.queries.map(({ name }) => name);
  return testTenants(set, service, (sdl, text) => queryTexts(sdl, names, text));
}

/** As `testQueryTenants`, for the fields of the plugin; the service has the plugin of `samplesOf`. */
export function testFieldTenants(set: PluginSet, service: TestService): Promise<Record<string, string>> {
  return testTenants(set, service, (sdl, text) => fieldTexts(sdl, set.plugin.fields, text));
}

/**
 * Reads a graph before and after rows of another graph are written, of the same and of another owner. Returns `isolated`
 * for each text, or what changed.
 */
async function testTenants(set: PluginSet, service: TestService, texts: Texts): Promise<Record<string, string>> {
  const owner = await service.newUser('owner');
  const stranger = await service.newUser('stranger');
  const watched = await graphWith(set, owner, 'Watched');
  const read = () => answersOf(service, (query) => owner.graphql(watched, query), { texts, values: textsOf(set) });
  const before = await read();
  for (const user of [owner, stranger])
    await writeSampleRows(set, service.store satisfies Store, await graphWith(set, user, 'Other'));
  const after = await read();
  return Object.fromEntries(
    Object.entries(before).map(([name, answers]) => [
      name,
      answers === after[name] ? 'isolated' : `rows of another graph change its answer: ${answers} → ${after[name]}`,
    ]),
  );
}

async function answersOf(
  service: TestService,
  run: (query: string) => ReturnType<TestClient['graphql']>,
  { texts, values }: { readonly texts: Texts; readonly values: readonly string[] },
): Promise<Record<string, string>> {
  const found: Record<string, string[]> = {};
  for (const value of values)
    for (const [name, query] of Object.entries(texts(service.service.sdl, value))) {
      const { body } = await run(query);
      found[name] = [...(found[name] ?? []), answerText(body)];
    }
  return Object.fromEntries(Object.entries(found).map(([name, answers]) => [name, answers.join('\n')]));
}

/** Texts that may be ids of sample rows: the generated value, and those that the author of the plugin gave. */
function textsOf({ samples }: PluginSet): readonly string[] {
  const given = Object.values(samples)
    .flat()
    .flatMap((row) => Object.values(row))
    .filter((value) => typeof value === 'string');
  return [...new Set(['sample', ...given])].slice(0, maxTexts);
}

/** The data and the messages of errors, which have ids of requests beside them. */
function answerText(body: {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}): string {
  return JSON.stringify({ data: body.data ?? null, errors: (body.errors ?? []).map(({ message }) => message) });
}
