import type { Plugin } from '@pacioli/core';
import type { CaseContext, ConformanceCase } from '../define-case.ts';
import { defineCase } from '../define-case.ts';
import { isObject } from '../json.ts';

type PluginExample = NonNullable<Plugin['operations'][number]['examples']>[number];

/** A case for each example of an operation or view, except those that need something that is only told in words. */
export function exampleCases(plugin: Plugin): readonly ConformanceCase[] {
  return [...plugin.operations, ...plugin.views].flatMap(({ name, examples = [] }) =>
    examples.flatMap((example, index) => {
      if (typeof example.given === 'string') return [];
      const { fails } = example;
      return [
        defineCase({
          id: `EXA-${String(index + 1).padStart(3, '0')} ${name}`,
          level: 'MUST',
          title: fails === undefined ? 'the example succeeds' : `the example is refused with ${fails}`,
          clause: `the examples of ${name}`,
          run: (context) => runExample(name, example, context),
        }),
      ];
    }),
  );
}

async function runExample(
  name: string,
  { input, given = [], fails }: PluginExample,
  context: CaseContext,
): Promise<void> {
  const { graph, served, expectStatus, expectThat } = context;
  const results = new Map<string, unknown>();
  for (const call of typeof given === 'string' ? [] : given) {
    expectThat(
      served.pathOf(call.operation) !== undefined,
      `given: there is no operation ${call.operation} in the set`,
    );
    const answer = await graph.operation(call.operation, filled(call.input, results));
    results.set(call.operation, isObject(answer.body) ? answer.body['result'] : undefined);
  }
  const answer = await graph.tryOperation(name, filled(input, results));
  if (fails === undefined) return expectStatus([200, 202], answer);
  const code = isObject(answer.body) ? answer.body['code'] : undefined;
  expectThat(code === fails, `Expected ${fails}, got ${answer.status} ${JSON.stringify(answer.body)}`);
}

const reference = /^\{\{([a-z0-9-]+)\.([A-Za-z0-9_.]+)\}\}$/;

/** The input with the results of earlier calls in place of references to them. */
function filled(value: unknown, results: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') {
    const [, operation, path] = reference.exec(value) ?? [];
    return operation === undefined || path === undefined ? value : resultAt(results, operation, path);
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, results));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, results)]));
}

function resultAt(results: ReadonlyMap<string, unknown>, operation: string, path: string): unknown {
  let found = results.get(operation);
  for (const key of path.split('.'))
    found = isObject(found) ? found[key] : Array.isArray(found) ? found[Number(key)] : undefined;
  if (found === undefined)
    throw new Error(`{{${operation}.${path}}}: ${operation} is not given before, or its result has no ${path}.`);
  return found;
}
