import { escapeMarkup, oneLine } from '@pacioli/core';
import type { NotePart, ReportBundle } from '../bundle/index.ts';
import { type AmountUnit, amountText } from './amounts.ts';
import { mainLinesChart } from './main-lines-chart.ts';
import { xhtmlOf } from './markdown.ts';
import { datesOf, printedReport } from './printed-statements.ts';
import type { ShownRow, ShownStatement } from './shown-statement.ts';

/** A report as one page for people, without anything that it would have to load (reporting G-7). */
export function writeHtml(bundle: ReportBundle): string {
  const { report, entity, structures } = bundle;
  const findings = structures.flatMap(({ name, failures, warnings }) => {
    return [...failures, ...warnings].map((finding) => `<bdi>${nameMarkup(name)}</bdi>: ${nameMarkup(finding)}`);
  });
  const { statements, unit, note } = printedReport(bundle);
  const columnCount = Math.max(0, ...statements.map(({ columns }) => columns.length));
  const filed = report.filedAt === null ? 'Not filed' : `Filed on ${report.filedAt.slice(0, 10)}`;
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${nameMarkup(entity.name)}: ${nameMarkup(report.name)}</title>`,
    `<style>${style}${columnCount > maxUprightColumns ? widePages : ''}</style>`,
    '</head>',
    '<body>',
    `<header><h1>${nameMarkup(entity.name)}</h1><p>${nameMarkup(report.name)}</p>`,
    `<p class="note">${filed}. Generation ${report.generation} of report ${escapeMarkup(report.id)}. ${note.map(noteMarkup).join('')}</p></header>`,
    mainLinesChart(statements, unit, bundle.forecast?.name),
    ...statements.map((statement) => statementSection(statement, unit)),
    ...(findings.length === 0 ? [] : [findingsSection(findings)]),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** Of a name or a label: without controls of the writing direction, which would turn what follows. */
function nameMarkup(name: string): string {
  return escapeMarkup(oneLine(name));
}

function noteMarkup(part: NotePart): string {
  return typeof part === 'string' ? escapeMarkup(part) : `<bdi>${nameMarkup(part.name)}</bdi>`;
}

const style = `
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #111; }
h1 { margin: 0; font-size: 1.6rem; } h2 { font-size: 1.2rem; }
.note { color: #555; font-size: 0.85rem; }
table { border-collapse: collapse; width: 100%; }
th[scope='row'] { position: sticky; left: 0; min-width: 8rem; background: #fff; }
th, td { padding: 0.2rem 0.5rem; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid #111; text-wrap: balance; }
.dates { font-weight: 400; font-size: 0.8rem; color: #555; white-space: normal; }
figure { margin: 1rem 0 0; overflow-x: auto; }
svg { display: block; width: 100%; min-width: 32rem; max-width: 40rem; height: auto; font: 11px system-ui, sans-serif; }
.forecast { background: #eef3f8; } thead th.forecast { white-space: normal; font-style: italic; }
.actual + .forecast { border-left: 2px solid #5b8db8; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.heading th { font-weight: 600; } tr.item th, tr.total th { font-weight: 400; }
tr.total th, tr.total td { font-weight: 600; border-top: 1px solid #999; }
tr.text div { font-weight: 400; } tr.text div :is(h1, h2, h3) { font-size: 1rem; margin: 0.5rem 0; }
section { margin-top: 2rem; overflow-x: auto; break-inside: avoid-page; }
tr { break-inside: avoid; }
@media print {
  body { margin: 0; max-width: none; }
  section, figure { overflow: visible; } figure { break-inside: avoid-page; }
}
`;

/** A report of more columns is printed on wide pages. */
const maxUprightColumns = 4;
const widePages = `body { max-width: 78rem; }
@page { size: landscape; }
@media print { body { font-size: 12px; } th, td { padding-block: 0.1rem; } svg { max-height: 13cm; } }
`;

function statementSection({ name, columns, rows, isInstant }: ShownStatement, unit: AmountUnit): string {
  const heads = columns.map(({ label, isForecast, ...dates }) => {
    return `<th class="${cellClass(isForecast)}" scope="col">${nameMarkup(label)}<br><span class="dates">${datesOf(dates, isInstant)}</span></th>`;
  });
  return [
    `<section><h2>${nameMarkup(name)}</h2>`,
    `<table><thead><tr><th></th>${heads.join('')}</tr></thead><tbody>`,
    ...rows.map((row) => tableRow(row, columns, unit)),
    '</tbody></table></section>',
  ].join('\n');
}

const plain: AmountUnit = { digits: 0, prefix: '' };

function cellClass(isForecast: boolean | undefined): string {
  return `number ${isForecast === true ? 'forecast' : 'actual'}`;
}

function tableRow(row: ShownRow, columns: ShownStatement['columns'], unit: AmountUnit): string {
  const indent = `style="padding-left: ${0.5 + row.depth}rem"`;
  const label = nameMarkup(row.label);
  if (row.kind === 'heading' || row.kind === 'text') {
    const text = row.text === null ? '' : `<div>${textOf(row)}</div>`;
    return `<tr class="${row.kind}"><th scope="row" colspan="${columns.length + 1}" ${indent}>${label}${text}</th></tr>`;
  }
  const shown = (value: string): string => amountText(value, row.isMoney ? unit : plain);
  const cells = row.values.map((value, column) => {
    const text = value === null ? '' : escapeMarkup(shown(value));
    return `<td class="${cellClass(columns[column]?.isForecast)}">${text}</td>`;
  });
  return `<tr class="${row.kind}"><th scope="row" ${indent}>${label}</th>${cells.join('')}</tr>`;
}

function textOf({ text, contentType }: ShownRow): string {
  return contentType === 'text/markdown' ? xhtmlOf(text ?? '') : escapeMarkup(text ?? '');
}

function findingsSection(items: readonly string[]): string {
  return `<section><h2>Findings</h2><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul></section>`;
}
