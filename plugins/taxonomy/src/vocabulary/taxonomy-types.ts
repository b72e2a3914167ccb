/** What is known of a kind of taxonomy that is read or written as a block (taxonomy 1.2). */
export interface TaxonomyType {
  readonly displayName: string;
  readonly category: string;
  /** False for what is shipped and never authored (taxonomy T-4). */
  readonly isAuthored: boolean;
  /** True for what a deployment may switch off (taxonomy T-5). */
  readonly isGated: boolean;
  /** The prefix of a qname that the server makes (taxonomy T-25). */
  readonly prefix: string;
  /** Which structures it may hold (taxonomy 1.6). */
  readonly blockTypes: ReadonlySet<string>;
}

const chart: TaxonomyType = {
  displayName: 'Chart of Accounts',
  category: 'Chart',
  isAuthored: true,
  isGated: false,
  prefix: 'coa',
  blockTypes: new Set(['chart_of_accounts', 'coa_mapping', 'custom']),
};

const types: ReadonlyMap<string, TaxonomyType> = new Map([
  ['chart_of_accounts', chart],
  [
    'reporting_standard',
    {
      displayName: 'Reporting Standard',
      category: 'Library',
      isAuthored: false,
      isGated: false,
      prefix: 'library',
      blockTypes: new Set<string>(),
    },
  ],
  [
    'reporting_extension',
    {
      displayName: 'Reporting Extension',
      category: 'Reporting',
      isAuthored: true,
      isGated: true,
      prefix: 'ext',
      blockTypes: new Set([
        'balance_sheet',
        'cash_flow_statement',
        'custom',
        'equity_statement',
        'income_statement',
        'metric',
        'policy',
        'reconciliation',
        'regulatory_disclosure',
        'rollforward',
      ]),
    },
  ],
  [
    'custom_ontology',
    {
      displayName: 'Custom Ontology',
      category: 'Custom',
      isAuthored: true,
      isGated: true,
      prefix: 'custom',
      blockTypes: new Set(['custom', 'metric', 'policy']),
    },
  ],
  [
    'schedule',
    {
      displayName: 'Schedule',
      category: 'Schedule',
      isAuthored: true,
      isGated: false,
      prefix: 'schedule',
      blockTypes: new Set(['custom', 'reconciliation', 'rollforward', 'schedule']),
    },
  ],
]);

/** The names of all types that are blocks. */
export const taxonomyTypeNames: readonly string[] = [...types.keys()];

/** What is known of a type; undefined for types that are no blocks, such as `mapping`. */
export function taxonomyType(name: string): TaxonomyType | undefined {
  return types.get(name);
}
