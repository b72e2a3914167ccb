import { parse } from 'yaml';
import { isObject, textsOf } from './json.ts';
import { readPackageFile } from './package-files.ts';

/** Ids of cases that are known to fail, each with the reason. */
export type ExpectedFailures = ReadonlyMap<string, string>;

export const noExpectedFailures: ExpectedFailures = new Map();

/** The list of this package. */
export function readExpectedFailures(): ExpectedFailures {
  return parseExpectedFailures(readPackageFile('expected-failures.yaml'));
}

/** Reads groups of `{ reason, ids }`. An id may appear in only one group. */
export function parseExpectedFailures(text: string): ExpectedFailures {
  const groups: unknown = parse(text) ?? [];
  if (!Array.isArray(groups))
    throw new Error('Expected failures are a list of groups, each with a reason and its ids.');
  const found = new Map<string, string>();
  for (const group of groups) {
    const reason = isObject(group) ? group['reason'] : undefined;
    if (!isObject(group) || typeof reason !== 'string' || reason.trim() === '')
      throw new Error('Each group of expected failures needs a reason.');
    for (const id of textsOf(group['ids'])) {
      if (found.has(id)) throw new Error(`${id} is listed twice among the expected failures.`);
      found.set(id, reason);
    }
  }
  return found;
}

const header = [
  '# Known gaps: each group has a reason and the ids that it explains. A failure that is not listed fails the run, and',
  '# so does an entry that has started to pass. `pacioli-conformance --url … --propose` prints a fresh list to review.',
  '',
].join('\n');

/** Formats a list to review and commit. */
export function formatExpectedFailures(groups: ReadonlyMap<string, readonly string[]>): string {
  const blocks = [...groups].map(([reason, ids]) => {
    const lines = ids.map((id) => `    - ${JSON.stringify(id)}`);
    return [`- reason: ${JSON.stringify(reason)}`, '  ids:', ...lines].join('\n');
  });
  return `${header}${blocks.join('\n')}\n`;
}
