import type { Store } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { graphWith, type PluginSet, writeSampleRows } from './plugin-set.ts';
import { queryTexts } from './query-texts.ts';

/** Arguments that are tried at most; ids of sample rows are among them. */
const maxTexts = 20;

/**
 * Runs each query of the plugin on a graph before and after rows of another graph are written, of the same and of
 * another owner. Returns `isolated` for each query, or what changed.
 */
export async function testQueryTenants(set: PluginSet, service: TestService): Promise<Record<string, string>> {
  const owner = await service.newUser('owner');
  const stranger = await service.newUser('stranger');
  const watched = await graphWith(set, owner, 'Watched');
  const texts = textsOf(set);
  const before = await answersOf(set, service, owner, { graphId: watched, texts });
  for (const user of [owner, stranger])
    await writeSampleRows(set, service.store satisfies Store, await graphWith(set, user, 'Other'));
  const after = await answersOf(set, service, owner, { graphId: watched, texts });
  return Object.fromEntries(
    Object.entries(before).map(([name, answers]) => [
      name,
      answers === after[name] ? 'isolated' : `rows of another graph change its answer: ${answers} → ${after[name]}`,
    ]),
  );
}

async function answersOf(
  set: PluginSet,
  service: TestService,
  user: TestClient,
  { graphId, texts }: { readonly graphId: string; readonly texts: readonly string[] },
): Promise<Record<string, string>> {
  const names = set.plugin.queries.map(({ name }) => name);
  const found: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const text of texts)
    for (const [name, query] of Object.entries(queryTexts(service.service.sdl, names, text))) {
      const { body } = await user.graphql(graphId, query);
      found[name]?.push(answerText(body));
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
