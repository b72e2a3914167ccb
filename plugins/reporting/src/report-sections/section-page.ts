import { invalidInput } from '@pacioli/core';
import { type KeptParts, keptColumns, keptMembers } from './section-budget.ts';
import { axesOf, type Cell, cellsOf, columnsOf, rowsOf, type SectionRow } from './section-cells.ts';
import { footing } from './section-footing.ts';
import type { SectionContent } from './section-reader.ts';

const maxPreviewChars = 240;

/** The rows of a section from an offset, with columns; the first page also has axes, calculation and texts (V-14, V-16). */
export function sectionPage(
  content: SectionContent,
  request: KeptParts & { readonly maxRows: number; readonly offset: number },
) {
  const rows = rowsOf(content);
  const { offset, maxRows } = request;
  if (offset > 0 && offset >= rows.length)
    throw invalidInput(`offset ${offset} is past the end; the block has ${rows.length} rows.`);
  const cells = cellsOf(content);
  const all = columnsOf(content.facts);
  const columns = keptColumns(all, cells, { rowCount: rows.length, kept: request });
  const members = keptMembers(cells, columns, request);
  const byElement = new Map<string, Cell[]>();
  for (const cell of cells) byElement.set(cell.element, [...(byElement.get(cell.element) ?? []), cell]);
  const page = rows.slice(offset, offset + maxRows);
  const end = offset + page.length;
  const shown = {
    columns: all
      .filter(({ key }) => columns.has(key))
      .map(({ key, start, end: last, type }) => ({ key, start, end: last, type })),
    rows: page.map((row) => rowOf(row, byElement.get(row.element.id) ?? [], { columns, members })),
    row_count: rows.length,
    truncated: end < rows.length,
    offset,
    next_offset: end < rows.length ? end : null,
  };
  if (offset > 0) return { ...shown, ancestors: ancestorsOf(rows, offset) };
  const axes = axesOf(content);
  const calculation = footing(content.calculation, cells, { columns: all, elements: content.elements });
  const text = textsOf(content);
  return {
    ...shown,
    ...(axes.length === 0 ? {} : { axes }),
    ...(calculation.length === 0 ? {} : { calculation }),
    ...(text.length === 0 ? {} : { text }),
  };
}

function headOf({ path, element, preferredLabel }: SectionRow) {
  return {
    depth: path.length,
    concept: element.qname,
    label: element.label ?? element.qname,
    ...(preferredLabel === null ? {} : { preferred_label: preferredLabel }),
    ...(element.is_abstract ? { abstract: true } : {}),
  };
}

function rowOf(
  row: SectionRow,
  cells: readonly Cell[],
  { columns, members }: { readonly columns: ReadonlySet<string>; readonly members: ReadonlySet<string> },
) {
  const values: Record<string, number> = {};
  const broken: Record<string, Record<string, number>> = {};
  const omittedMembers = new Set<string>();
  const omittedPeriods = new Set<string>();
  for (const { period, memberKey, fact } of cells) {
    if (!columns.has(period)) omittedPeriods.add(period);
    else if (memberKey === '') values[period] = Number(fact.value);
    else if (members.has(memberKey)) broken[memberKey] = { ...broken[memberKey], [period]: Number(fact.value) };
    else omittedMembers.add(memberKey);
  }
  return {
    ...headOf(row),
    values,
    ...(Object.keys(broken).length === 0 ? {} : { members: broken }),
    ...(omittedMembers.size === 0 ? {} : { members_omitted: omittedMembers.size }),
    ...(omittedPeriods.size === 0 ? {} : { periods_omitted: omittedPeriods.size }),
  };
}

/** The headings above the first row of a later page that precede it, from the top. */
function ancestorsOf(rows: readonly SectionRow[], offset: number) {
  const above = rows[offset]?.path ?? [];
  return above.flatMap((id, depth) => {
    const row = rows.slice(0, offset).findLast(({ element, path }) => element.id === id && path.length === depth);
    return row === undefined ? [] : [headOf(row)];
  });
}

function textsOf({ facts, elements }: SectionContent) {
  return facts
    .filter(({ fact_type: type, value }) => type === 'Nonnumeric' && value !== null)
    .map(({ element, value }) => ({
      concept: elements.get(element)?.qname ?? element,
      label: elements.get(element)?.label ?? element,
      chars: value?.length ?? 0,
      preview: (value ?? '').slice(0, maxPreviewChars),
    }));
}
