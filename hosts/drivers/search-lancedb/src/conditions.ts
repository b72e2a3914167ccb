import { type IndexFilter, queryTerms } from '@pacioli/core/ports';

/** A value in a condition; a quote is doubled, and there is no other escape in this dialect. */
export function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The condition that the id is in a list, which must not be empty. */
export function isOneOf(ids: readonly string[]): string {
  return `id IN (${ids.map(quoted).join(', ')})`;
}

/** The condition that the id begins with a prefix. It does not use LIKE, whose wildcards ids may contain. */
export function startsWith(prefix: string): string {
  return prefix === '' ? 'true' : `starts_with(id, ${quoted(prefix)})`;
}

/** The conditions of a filter, all of which must hold; undefined without any (ai-surface SR-2). */
export function conditionOf(filter: IndexFilter): string | undefined {
  const { entity, formType, section, element, sourceType, fiscalYear, filedFrom, filedTo } = filter;
  const parts: string[] = [];
  if (entity !== undefined) parts.push(entityCondition(entity));
  if (formType !== undefined) parts.push(`form_type = ${quoted(formType.toUpperCase())}`);
  if (section !== undefined) parts.push(`section_id IN (${quoted(section)}, ${quoted(section.toLowerCase())})`);
  if (element !== undefined) {
    parts.push(`(element_qname = ${quoted(element)} OR array_has(xbrl_elements, ${quoted(element)}))`);
  }
  if (sourceType !== undefined) parts.push(`source_type = ${quoted(sourceType)}`);
  if (fiscalYear !== undefined) parts.push(`fiscal_year = ${wholeNumber(fiscalYear)}`);
  if (filedFrom !== undefined) parts.push(`filing_date >= ${quoted(filedFrom)}`);
  if (filedTo !== undefined) parts.push(`filing_date <= ${quoted(filedTo)}`);
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** Digits match a CIK whatever its leading zeros; other text matches a ticker, or a name that has all of its words. */
function entityCondition(entity: string): string {
  const name = entity.trim();
  if (/^[0-9]+$/.test(name)) return `cik_key = ${quoted(cikKey(name))}`;
  const words = queryTerms(name).map((word) => `contains(entity_words, ${quoted(` ${word} `)})`);
  const ticker = `entity_ticker = ${quoted(name.toUpperCase())}`;
  return words.length === 0 ? ticker : `(${ticker} OR (${words.join(' AND ')}))`;
}

/** A CIK without its leading zeros. */
export function cikKey(cik: string): string {
  return cik.replace(/^0+(?=.)/, '');
}

function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`A fiscal year is a whole number, not ${value}.`);
  return value.toString();
}
