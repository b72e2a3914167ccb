/** A column of the file of positions. */
interface Column {
  readonly name: string;
  readonly meaning: string;
}

const securityColumns = [
  { name: 'security_id', meaning: 'a security of the graph; the other columns of the security are then empty' },
  { name: 'security_name', meaning: 'required without security_id; 1 to 200 characters' },
  { name: 'security_type', meaning: 'required without security_id, such as common_stock, bond or safe' },
  { name: 'security_subtype', meaning: 'such as class_a' },
  { name: 'entity_id', meaning: 'the issuer, an entity of the graph' },
  { name: 'issuer_name', meaning: 'the issuer by its exact name; without an issuer if the graph has no such entity' },
  { name: 'issuer_cik', meaning: 'the issuer by its number in public filings, which goes before the name' },
  { name: 'source_graph_id', meaning: 'the graph of an issuer that shares its reports' },
  { name: 'ticker', meaning: 'goes to the terms, as the next three do' },
  { name: 'isin', meaning: '12 characters' },
  { name: 'cusip', meaning: '9 characters' },
  { name: 'figi', meaning: '12 characters' },
  { name: 'terms', meaning: 'other terms as a JSON object, such as {"coupon_rate_bps": 425}' },
  { name: 'authorized_shares', meaning: 'a whole number' },
  { name: 'outstanding_shares', meaning: 'a whole number, at most the authorized shares' },
] as const satisfies readonly Column[];

const positionColumns = [
  { name: 'quantity', meaning: 'required; up to 20 digits before and 18 after the point' },
  { name: 'quantity_type', meaning: 'shares, units, principal or percentage; that of the security type if empty' },
  { name: 'cost_basis', meaning: 'the amount paid, such as 1234.56; 0 if empty' },
  { name: 'currency', meaning: 'of cost and value; the base currency of the portfolio if empty' },
  { name: 'current_value', meaning: 'an amount; without a valuation if empty' },
  { name: 'valuation_date', meaning: 'YYYY-MM-DD, not in the future' },
  { name: 'valuation_source', meaning: 'such as market, broker_statement or last_round' },
  { name: 'acquisition_date', meaning: 'YYYY-MM-DD, not in the future' },
  { name: 'notes', meaning: 'at most 4,000 characters' },
] as const satisfies readonly Column[];

export type ColumnName = (typeof securityColumns)[number]['name'] | (typeof positionColumns)[number]['name'];

const all: readonly Column[] = [...securityColumns, ...positionColumns];

/** The columns that describe a security, which a row with `security_id` leaves empty. */
export const describingColumns = securityColumns.map(({ name }) => name).filter((name) => name !== 'security_id');

export function isColumn(name: string): name is ColumnName {
  return all.some((column) => column.name === name);
}

/** The columns for the help of the command, one per line. */
export const columnsHelp = all.map(({ name, meaning }) => `  ${name.padEnd(20)}${meaning}`).join('\n');
