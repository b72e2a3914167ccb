// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface InvestorPortfolio {
  readonly graph_id: string;
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly strategy: string | null;
  readonly inception_date: string | null;
  readonly base_currency: string;
  readonly entity_id: string | null;
  readonly metadata: unknown;
  readonly version: number;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface InvestorPosition {
  readonly graph_id: string;
  readonly id: string;
  readonly portfolio_id: string;
  readonly security_id: string;
  readonly quantity: string;
  readonly quantity_type: string;
  readonly cost_basis: number;
  readonly currency: string;
  readonly current_value: number | null;
  readonly valuation_date: string | null;
  readonly valuation_source: string | null;
  readonly acquisition_date: string | null;
  readonly disposition_date: string | null;
  readonly status: 'active' | 'disposed' | 'archived';
  readonly metadata: unknown;
  readonly notes: string | null;
  readonly version: number;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface InvestorSecurity {
  readonly graph_id: string;
  readonly id: string;
  readonly name: string;
  readonly security_type: string;
  readonly security_subtype: string | null;
  readonly entity_id: string | null;
  readonly issuer_origin: 'caller' | 'source_graph' | null;
  readonly source_graph_id: string | null;
  readonly terms: unknown;
  readonly is_active: boolean;
  readonly authorized_shares: number | null;
  readonly outstanding_shares: number | null;
  readonly metadata: unknown;
  readonly version: number;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** For `tx.tables<InvestorTables>()`. */
export interface InvestorTables {
  readonly investor_portfolio: InvestorPortfolio;
  readonly investor_position: InvestorPosition;
  readonly investor_security: InvestorSecurity;
}
