import { characterCount, nullable } from '@pacioli/core';
import type { FoundEntry } from '@pacioli/core/ports';
import { Type } from 'typebox';
import type { Hit } from '../searching/index.ts';

const optionalText = () => Type.Optional(nullable(Type.String()));
const optionalTexts = () => Type.Optional(nullable(Type.Array(Type.String())));

/** The fields that a hit and a passage have in common. */
export const passageFields = () => ({
  parent_document_id: optionalText(),
  part: Type.Optional(Type.Integer({ default: 1 })),
  part_count: Type.Optional(Type.Integer({ default: 1 })),
  next_document_id: optionalText(),
  entity_ticker: optionalText(),
  entity_name: optionalText(),
  section_label: optionalText(),
  section_id: optionalText(),
  element_qname: optionalText(),
  filing_date: optionalText(),
  fiscal_year: Type.Optional(nullable(Type.Integer())),
  form_type: optionalText(),
  xbrl_elements: optionalTexts(),
  content_length: Type.Optional(Type.Integer({ default: 0 })),
  content_url: optionalText(),
  document_title: optionalText(),
  tags: optionalTexts(),
  folder: optionalText(),
});

/** The values of `passageFields`. */
function passageOf(entry: FoundEntry) {
  return {
    parent_document_id: entry.parentId,
    part: entry.part,
    part_count: entry.partCount,
    next_document_id: entry.nextId,
    entity_ticker: entry.entityTicker,
    entity_name: entry.entityName,
    section_label: entry.sectionLabel,
    section_id: entry.sectionId,
    element_qname: entry.elementQname,
    filing_date: entry.filingDate,
    fiscal_year: entry.fiscalYear,
    form_type: entry.formType,
    xbrl_elements: entry.xbrlElements === null ? null : [...entry.xbrlElements],
    content_length: characterCount(entry.content),
    content_url: entry.contentUrl,
    document_title: entry.documentTitle,
    tags: entry.tags === null ? null : [...entry.tags],
    folder: entry.folder,
  };
}

/** A hit on the wire. */
export function hitOf({ entry, score, excerpt, alsoInFilings }: Hit) {
  return {
    document_id: entry.id,
    score,
    source_type: entry.sourceType,
    snippet: excerpt,
    ...passageOf(entry),
    also_in_filings: alsoInFilings,
  };
}

/** A whole passage on the wire. */
export function sectionOf(graphId: string, entry: FoundEntry) {
  return {
    document_id: entry.id,
    graph_id: graphId,
    source_type: entry.sourceType,
    content: entry.content,
    ...passageOf(entry),
    entity_cik: entry.entityCik,
    fiscal_period: entry.fiscalPeriod,
    accession_number: entry.accessionNumber,
  };
}
