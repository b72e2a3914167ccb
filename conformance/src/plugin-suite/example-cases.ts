import type { Plugin } from '@pacioli/core';
import { type ConformanceCase, defineCase } from '../define-case.ts';
import { isObject } from '../json.ts';

/** A case for each example of an operation or view that needs nothing before it. */
export function exampleCases(plugin: Plugin): readonly ConformanceCase[] {
  return [...plugin.operations, ...plugin.views].flatMap(({ name, examples = [] }) =>
    examples.flatMap(({ input, given, fails }, index) =>
      given !== undefined
        ? []
        : [
            defineCase({
              id: `EXA-${String(index + 1).padStart(3, '0')} ${name}`,
              level: 'MUST',
              title: fails === undefined ? 'the example succeeds' : `the example is refused with ${fails}`,
              clause: `the examples of ${name}`,
              async run({ graph, expectStatus, expectThat }) {
                const answer = await graph.tryOperation(name, input);
                if (fails === undefined) return expectStatus([200, 202], answer);
                const code = isObject(answer.body) ? answer.body['code'] : undefined;
                expectThat(code === fails, `Expected ${fails}, got ${answer.status} ${JSON.stringify(answer.body)}`);
              },
            }),
          ],
    ),
  );
}
