import { invalidInput, model, nullable, type TypeOf } from '@pacioli/core';
import { isCalendarDate } from '@pacioli/core/calendar';
import { type IndexFilter, maxCountedMatches } from '@pacioli/core/ports';
import { Type } from 'typebox';

const maxQueryCharacters = 500;
const maxSize = 50;
const minSnippetCharacters = 80;
const maxSnippetCharacters = 4_000;

const optionalText = () => Type.Optional(nullable(Type.String()));

const fields = {
  query: Type.String(),
  entity: optionalText(),
  form_type: optionalText(),
  section: optionalText(),
  element: optionalText(),
  source_type: optionalText(),
  fiscal_year: Type.Optional(nullable(Type.Integer())),
  date_from: optionalText(),
  date_to: optionalText(),
  semantic: Type.Optional(Type.Boolean({ default: false })),
  group: Type.Optional(Type.Boolean({ default: false })),
  size: Type.Optional(Type.Integer({ default: 10 })),
  offset: Type.Optional(Type.Integer({ default: 0 })),
};

const meanings = {
  query: '1 to 500 characters; entries with any of the words are found.',
  entity: 'A CIK, a ticker, or words of the name of the filer.',
  form_type: 'Such as `10-K`, exactly.',
  section: 'An item such as `item_1a`, the section of a document or report, or the element of a disclosure.',
  element: 'The element of a text block, or one that a disclosure tags.',
  source_type: 'Such as `uploaded_doc` or `xbrl_textblock`.',
  date_from: 'The first filing date, YYYY-MM-DD; texts without a filing date are left out.',
  date_to: 'The last filing date, YYYY-MM-DD.',
  semantic: 'Also finds texts of similar meaning, and ranks by both.',
  group: 'Folds the same section of several filings of an entity into the best; not with `entity`.',
  size: '1 to 50.',
  offset: 'With the size at most 10,000.',
};

export const searchRequest = model(
  'SearchRequest',
  { ...fields, snippet_chars: Type.Optional(nullable(Type.Integer())) },
  { fields: { ...meanings, snippet_chars: '80 to 4,000 characters; without it, up to three short fragments.' } },
);

/** The arguments of the tool, whose snippets are always short (ai-surface 14). */
export const searchArguments = model('SearchDocumentsArguments', fields, { closed: true, fields: meanings });

/** A valid request. */
export interface SearchOrder {
  readonly query: string;
  readonly filter: IndexFilter;
  readonly isSemantic: boolean;
  readonly isGrouped: boolean;
  readonly size: number;
  readonly offset: number;
  readonly snippetCharacters: number | undefined;
}

/** Checks a request (ai-surface SR-1, SR-2). Throws 422. */
export function searchOrderOf(request: TypeOf<typeof searchRequest>): SearchOrder {
  const query = request.query.trim();
  const size = request.size ?? 10;
  const offset = request.offset ?? 0;
  requireWithin('query', [...query].length, 1, maxQueryCharacters, ' characters');
  requireWithin('size', size, 1, maxSize);
  requireWithin('offset', offset, 0, maxCountedMatches);
  if (offset + size > maxCountedMatches)
    throw invalidInput(`offset + size is at most ${maxCountedMatches}. Narrow the search by filters.`);
  if (request.snippet_chars != null)
    requireWithin('snippet_chars', request.snippet_chars, minSnippetCharacters, maxSnippetCharacters);
  return {
    query,
    filter: filterOf(request),
    isSemantic: request.semantic === true,
    isGrouped: request.group === true && request.entity == null,
    size,
    offset,
    snippetCharacters: request.snippet_chars ?? undefined,
  };
}

function filterOf(request: TypeOf<typeof searchRequest>): IndexFilter {
  const entity = textOf('entity', request.entity);
  const formType = textOf('form_type', request.form_type);
  const section = textOf('section', request.section);
  const element = textOf('element', request.element);
  const sourceType = textOf('source_type', request.source_type);
  const filedFrom = dateOf('date_from', request.date_from);
  const filedTo = dateOf('date_to', request.date_to);
  if (request.fiscal_year != null) requireWithin('fiscal_year', request.fiscal_year, 0, 9_999);
  return {
    ...(entity === undefined ? {} : { entity }),
    ...(formType === undefined ? {} : { formType }),
    ...(section === undefined ? {} : { section }),
    ...(element === undefined ? {} : { element }),
    ...(sourceType === undefined ? {} : { sourceType }),
    ...(request.fiscal_year == null ? {} : { fiscalYear: request.fiscal_year }),
    ...(filedFrom === undefined ? {} : { filedFrom }),
    ...(filedTo === undefined ? {} : { filedTo }),
  };
}

function textOf(name: string, value: string | null | undefined): string | undefined {
  if (value == null) return undefined;
  requireWithin(name, [...value].length, 1, maxQueryCharacters, ' characters');
  return value;
}

/** Throws 422 unless the text is a day of the calendar. */
function dateOf(name: string, value: string | null | undefined): string | undefined {
  if (value == null) return undefined;
  if (!isCalendarDate(value)) throw invalidInput(`${name} must be a date, YYYY-MM-DD.`);
  return value;
}

function requireWithin(name: string, value: number, least: number, most: number, unit = ''): void {
  if (value < least || value > most) throw invalidInput(`${name} must be ${least} to ${most}${unit}.`);
}
