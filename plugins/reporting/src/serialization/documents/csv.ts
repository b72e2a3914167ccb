import type { ReportBundle } from '../bundle/index.ts';

const columns = [
  'concept',
  'label',
  'entity',
  'period_start',
  'period_end',
  'value',
  'unit',
  'decimals',
  'text',
  'members',
  'statements',
  'fact_id',
] as const;

/** The facts of a report as CSV, a row for each, with their stored signs (reporting G-7; RFC 4180). Gives row by row. */
export function* writeCsv(bundle: ReportBundle): Generator<string> {
  const labels = new Map(bundle.concepts.map(({ qname, label }) => [qname, label]));
  const structures = new Map(bundle.structures.map(({ id, name }) => [id, name]));
  const names = new Map(bundle.factSets.map(({ id, structureId }) => [id, structures.get(structureId ?? '') ?? '']));
  yield row(columns);
  for (const fact of bundle.facts) {
    const { period, members } = fact;
    const dates = 'instant' in period ? ['', period.instant] : [period.start, period.end];
    yield row([
      text(fact.concept),
      text(labels.get(fact.concept) ?? ''),
      text(bundle.entity.name),
      ...dates,
      // A number, which a spreadsheet must read as one even if it is negative.
      fact.value ?? '',
      text(fact.unit ?? ''),
      fact.decimals ?? '',
      text(fact.text ?? ''),
      text(members.map(({ axis, member, typedValue }) => `${axis}=${member ?? typedValue}`).join('; ')),
      text([...new Set(fact.factSetIds.map((id) => names.get(id) ?? ''))].sort().join('; ')),
      text(fact.id),
    ]);
  }
}

function row(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/** A text in quotation marks; one that a spreadsheet would run as a formula starts with an apostrophe. */
function text(value: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
