// Valid requests for every type of block, for tests that change one thing about them.
import type { Loose } from './blocks.ts';

export const chart = (more: object) => ({ name: 'Chart', taxonomy_type: 'chart_of_accounts', ...more });
export const ontology = (more: object) => ({ name: 'KPIs', taxonomy_type: 'custom_ontology', ...more });
export const extension = (gaapId: string, more: object) => ({
  name: 'Own concepts',
  taxonomy_type: 'reporting_extension',
  parent_taxonomy_id: gaapId,
  ...more,
});
export const account = (qname: string, more: object = {}) => ({ qname, name: qname, trait: 'asset', ...more });
export const note = { name: 'Note', block_type: 'custom' };
export const arc = (fromRef: string, toRef: string, more: object = {}) => ({
  structure_ref: 'Note',
  from_ref: fromRef,
  to_ref: toRef,
  association_type: 'presentation',
  ...more,
});
export const rule = (more: object) => ({
  name: 'R',
  rule_category: 'FundamentalAccountingConceptRelation',
  rule_pattern: 'EqualTo',
  expression: '$A = $B',
  variables: [
    { variable_name: 'A', variable_qname: 'k:a' },
    { variable_name: 'B', variable_qname: 'k:b' },
  ],
  ...more,
});
export const kpis = (rules: object[]) =>
  ontology({ elements: [account('k:a'), account('k:b')], structures: [note], rules });

export const mapped = (source: { qname: string }, arcs: object[]) =>
  chart({
    elements: [source],
    structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
    associations: arcs.map((more) => ({
      structure_ref: 'To GAAP',
      from_ref: source.qname,
      association_type: 'mapping',
      ...more,
    })),
  });

/** An extension with a sum, a list and a rule. */
export const extensionRequest = (gaapId: string) => ({
  name: 'Own concepts',
  taxonomy_type: 'reporting_extension',
  parent_taxonomy_id: gaapId,
  elements: [
    { qname: 'acme:Total', name: 'Total', trait: 'asset', balance_type: 'debit' },
    { qname: 'acme:A', name: 'A', trait: 'asset', balance_type: 'debit' },
    { qname: 'acme:B', name: 'B', trait: 'asset', balance_type: 'debit', parent_ref: 'acme:A' },
  ],
  structures: [
    { name: 'Note', block_type: 'regulatory_disclosure', concept_arrangement: 'roll_up' },
    { name: 'List', block_type: 'custom' },
  ],
  associations: [
    { structure_ref: 'Note', from_ref: 'acme:Total', to_ref: 'acme:A', association_type: 'calculation', weight: 1 },
  ],
  rules: [
    {
      name: 'Mine',
      rule_category: 'ReportingSystemSpecificRule',
      rule_pattern: 'GreaterThanOrEqualToZero',
      expression: '$A',
      variables: [{ variable_name: 'A', variable_qname: 'acme:A' }],
      target_element_qname: 'acme:A',
    },
  ],
});
/** A chart of two accounts and a mapping; names start with the given word. */
export const chartRequest = (name: string) => ({
  name,
  taxonomy_type: 'chart_of_accounts',
  elements: [
    { qname: `${name}:1000`, code: '1000', name: 'Fleet', trait: 'asset' },
    { qname: `${name}:1010`, code: '1010', name: 'Vans', trait: 'asset', parent_ref: `${name}:1000` },
  ],
  structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
});
/** Finds the entry of a list by name or qname. */
export const named = (list: Loose[], name: string): Loose =>
  list.find((item) => item.name === name || item.qname === name);
