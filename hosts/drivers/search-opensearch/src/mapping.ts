import { fieldWeights } from '@pacioli/core/ports';
import { maxDimensions } from './options.ts';

/** The fields of terms with their weights. They contain the terms of `searchTerms`, separated by white space. */
export const termFields = {
  'terms.content': fieldWeights.content,
  'terms.label': fieldWeights.sectionLabel,
  'terms.title': fieldWeights.documentTitle,
  'terms.entity': fieldWeights.entityName,
} as const;

const text = { type: 'text', analyzer: 'whitespace', similarity: 'bm25' };
const keyword = { type: 'keyword' };
/** An upper bound of the number of fields that are not a dimension of a vector. */
const maxOtherFields = 100;

/** The body that creates the index of a graph. */
export function indexBody(alias: string): object {
  return {
    aliases: { [alias]: {} },
    settings: {
      index: {
        // BM25 counts within a shard, and a graph's own statistics are required (ai-surface SR-11).
        number_of_shards: 1,
        auto_expand_replicas: '0-1',
        // Writes refresh when they are complete, so that no search sees half of one.
        refresh_interval: '-1',
        similarity: { bm25: { type: 'BM25', k1: 1.2, b: 0.75 } },
        // BM25 counts deleted entries until their segment is merged.
        'merge.policy.deletes_pct_allowed': 5,
        'mapping.total_fields.limit': maxDimensions + maxOtherFields,
      },
    },
    mappings: {
      dynamic: false,
      // Only the entry is read back; the other fields are searched.
      _source: { includes: ['entry'] },
      dynamic_templates: [
        { vectors: { path_match: 'vector.*', mapping: { type: 'float', index: false, doc_values: true } } },
      ],
      properties: {
        entry: { type: 'object', enabled: false },
        ...Object.fromEntries(filterFields.map((name) => [name, keyword])),
        fiscalYear: { type: 'long' },
        generation: { type: 'long' },
        terms: { properties: { content: text, label: text, title: text, entity: text } },
        vector: { type: 'object', dynamic: true },
      },
    },
  };
}

const filterFields = [
  'id',
  'sourceType',
  'sectionId',
  'entityTicker',
  'cik',
  'element',
  'filingDate',
  'formType',
  /** The model of the vector, also of one without a direction. */
  'model',
  /** The model of a vector that has a direction. */
  'nearModel',
] as const;
