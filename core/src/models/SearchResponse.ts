import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

const optionalText = Type.Optional(nullable(Type.String()));

const searchHit = model('SearchHit', {
  document_id: Type.String(),
  score: Type.Number(),
  source_type: Type.String(),
  snippet: Type.String(),
  parent_document_id: optionalText,
  part: Type.Optional(Type.Integer({ default: 1 })),
  part_count: Type.Optional(Type.Integer({ default: 1 })),
  next_document_id: optionalText,
  entity_ticker: optionalText,
  entity_name: optionalText,
  section_label: optionalText,
  section_id: optionalText,
  element_qname: optionalText,
  filing_date: optionalText,
  fiscal_year: Type.Optional(nullable(Type.Integer())),
  form_type: optionalText,
  xbrl_elements: Type.Optional(nullable(Type.Array(Type.String()))),
  content_length: Type.Optional(Type.Integer({ default: 0 })),
  content_url: optionalText,
  document_title: optionalText,
  tags: Type.Optional(nullable(Type.Array(Type.String()))),
  folder: optionalText,
  also_in_filings: Type.Optional(nullable(Type.Integer())),
});

/** The hits of a search over documents, and of a recall over memories (ai-surface ME-9). */
export default model('SearchResponse', {
  total: Type.Integer(),
  hits: Type.Array(searchHit),
  query: Type.String(),
  graph_id: Type.String(),
});
