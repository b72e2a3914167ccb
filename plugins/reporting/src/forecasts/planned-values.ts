import { decimal } from '@pacioli/blocks';
import { invalidInput } from '@pacioli/core';
import { storedNumber } from '../metrics/index.ts';

/** A lever or line as a request states it. */
export interface LineRequest {
  readonly qname: string;
  /** For every month of the horizon. */
  readonly value?: number | null;
  /** By month; takes precedence over `value`. */
  readonly values_by_period?: Readonly<Record<string, number>> | null;
}

/** A line with exact values by month, as decimal text. */
export interface LineValues {
  readonly qname: string;
  readonly values: ReadonlyMap<string, string>;
}

const maxLines = 200;

/** Expands the lines of a list to values by month; throws one error that names all problems. */
export function expandLines(
  list: string,
  requests: readonly LineRequest[],
  horizon: readonly string[],
): readonly LineValues[] {
  if (requests.length > maxLines) throw invalidInput(`${list}: at most ${maxLines} lines, not ${requests.length}.`);
  const inHorizon = new Set(horizon);
  const names = requests.map(({ qname }) => qname);
  const problems: string[] = [];
  const doubled = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  if (doubled.length > 0) problems.push(`duplicate qname(s): [${doubled.join(', ')}]`);
  const lines = requests.map((request): LineValues => {
    const byMonth = request.values_by_period ?? {};
    const outside = Object.keys(byMonth).filter((month) => !inHorizon.has(month));
    if (outside.length > 0) {
      problems.push(`month(s) of ${request.qname} outside the horizon: [${outside.toSorted().join(', ')}]`);
    }
    const values = new Map<string, string>();
    for (const month of horizon) {
      const given = byMonth[month] ?? request.value;
      const exact = given == null ? undefined : storedNumber(decimal(given));
      if (exact !== undefined) values.set(month, exact.toFixed());
      else if (given != null) problems.push(`value of more than 18 digits: ${request.qname} ${month}`);
    }
    if (values.size === 0) problems.push(`no value for: ${request.qname}`);
    return { qname: request.qname, values };
  });
  if (problems.length > 0) throw invalidInput(`${list}: ${problems.join('; ')}.`);
  return lines;
}

/** Refuses a new window that leaves out months for which a kept list has values. */
export function requireWithin(list: string, lines: readonly LineValues[], horizon: readonly string[]): void {
  const inHorizon = new Set(horizon);
  const outside = [...new Set(lines.flatMap(({ values }) => [...values.keys()]))].filter(
    (each) => !inHorizon.has(each),
  );
  if (outside.length === 0) return;
  const named = outside.toSorted().join(', ');
  throw invalidInput(`${list}: values of [${named}] lie outside the new horizon. Give ${list} again.`);
}
