import type { RefusalFixture } from './refusal-fixture-types.ts';
import type { Refusal } from './refusal-rows.ts';

type Request = (fixture: RefusalFixture) => object;

const element = { qname: 'own:Thing', name: 'Thing', trait: 'asset', balance_type: 'debit', period_type: 'instant' };

/** Valid requests of a member of the graph `open` for operations without a lock row. */
const others: Readonly<Record<string, Request>> = {
  initialize: () => ({ earliest_data_period: '2026-01' }),
  'initialize-chart-of-accounts': () => ({ template: 'services' }),
  'change-reporting-style': () => ({ reporting_style_id: 'struct_none' }),
  'backfill-plan-history': () => ({ max_periods: 1 }),
  'link-entity-taxonomy': ({ id }) => ({ taxonomy_id: id('chart') }),
  'close-period': () => ({ period: '2026-02' }),
  'reopen-period': () => ({ period: '2026-01', reason: 'late' }),
  'update-entity': () => ({ name: 'Renamed' }),
  'create-information-block': ({ id }) => ({
    block_type: 'schedule',
    payload: {
      name: 'Fleet',
      element_ids: [id('depreciation'), id('accumulated')],
      period_start: '2026-04-01',
      period_end: '2026-12-31',
      monthly_amount: 100,
      entry_template: { debit_element_id: id('depreciation'), credit_element_id: id('accumulated') },
    },
  }),
  'update-information-block': ({ id }) => ({
    block_type: 'schedule',
    payload: { structure_id: id('Rent'), name: 'x' },
  }),
  'delete-information-block': ({ id }) => ({ block_type: 'schedule', payload: { structure_id: id('Rent') } }),
  'evaluate-rules': ({ id }) => ({ structure_id: id('Rent') }),
  'bind-text-block': ({ id }) => ({
    document_id: 'doc_policies',
    structure_id: id('notes'),
    element_qname: 'notes:Policies',
    period_start: '2026-01-01',
    period_end: '2026-03-31',
  }),
  'create-taxonomy-block': () => ({ taxonomy_type: 'custom_ontology', name: 'Own words', elements: [element] }),
  'update-taxonomy-block': ({ id }) => ({ taxonomy_id: id('words'), name: 'Renamed' }),
  'delete-taxonomy-block': ({ id }) => ({ taxonomy_id: id('words'), reason: 'not used' }),
  'create-mapping-association': ({ id }) => ({
    mapping_id: id('mapping'),
    from_element_id: id('mapped'),
    to_element_id: id('concept'),
  }),
  'delete-mapping-association': ({ id }) => ({ mapping_id: id('mapping'), association_id: id('arc') }),
  'auto-map-elements': ({ id }) => ({ mapping_id: id('mapping') }),
};

/** A request for each operation that would succeed for a member while nobody holds a lock. */
export function goodRequests(refusals: readonly Refusal[]): Readonly<Record<string, Request>> {
  const locked = refusals.filter(({ reason, operation }) => reason === 'lock' && !(operation in others));
  return { ...others, ...Object.fromEntries(locked.map(({ operation, request }) => [operation, request])) };
}
