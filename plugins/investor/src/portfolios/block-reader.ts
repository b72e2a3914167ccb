import type { Log, Transaction } from '@pacioli/core';
import type { EntitySummary } from '@pacioli/ledger';
import {
  type ExchangeRateSource,
  type HeldPosition,
  type IssuerSums,
  ratesFrom,
  type StoredPositions,
  type Totals,
  totalsOf,
} from '../positions/index.ts';
import type { Issuers } from '../securities/index.ts';
import { dollarsOf } from '../values/index.ts';
import type { PortfolioRow, StoredPortfolios } from './stored-portfolios.ts';

/** A portfolio with its active positions, the entities behind them, and the rates of other currencies than its own. */
export interface PortfolioHoldings {
  readonly portfolio: PortfolioRow;
  readonly positions: readonly HeldPosition[];
  /** The owner and the issuers, by id. */
  readonly entities: ReadonlyMap<string, EntitySummary>;
  readonly rates: ReadonlyMap<string, string>;
}

/** The sums of a portfolio by issuer and currency, with what its totals need. */
export interface PortfolioSums {
  readonly baseCurrency: string;
  readonly sums: readonly IssuerSums[];
  /** The issuers, by id. */
  readonly entities: ReadonlyMap<string, EntitySummary>;
  readonly rates: ReadonlyMap<string, string>;
}

interface ReaderServices {
  readonly portfolios: StoredPortfolios;
  readonly positions: StoredPositions;
  readonly issuers: Issuers;
  readonly rates: readonly ExchangeRateSource[];
}

/** Reads portfolios with their positions and totals, the same for writes and reads. */
export class BlockReader {
  readonly #use: ReaderServices;

  constructor(use: ReaderServices) {
    this.#use = use;
  }

  /** A portfolio as a block; undefined if the graph does not have it. */
  async block(tx: Transaction, portfolioId: string, log: Log) {
    const held = await this.holdings(tx, portfolioId);
    if (held === undefined) return undefined;
    const totals = totalsOf(held.positions, { currency: held.portfolio.base_currency, rates: held.rates });
    reportOmitted(totals, portfolioId, log);
    return blockOf(held, totals);
  }

  /** A portfolio with what its totals need; undefined if the graph does not have it. */
  async holdings(tx: Transaction, portfolioId: string): Promise<PortfolioHoldings | undefined> {
    const portfolio = await this.#use.portfolios.find(tx, portfolioId);
    if (portfolio === undefined) return undefined;
    const positions = await this.#use.positions.active(tx, portfolioId);
    const issuers = positions.map((position) => position.issuer_id);
    const entities = await this.#use.issuers.summaries(tx, [portfolio.entity_id, ...issuers]);
    const to = portfolio.base_currency;
    return { portfolio, positions, entities, rates: await this.#ratesOf(tx, positions, to) };
  }

  /** The sums of a portfolio by issuer, without its positions; undefined if the graph does not have it. */
  async sums(tx: Transaction, portfolioId: string): Promise<PortfolioSums | undefined> {
    const summed = await this.#use.positions.sumsByIssuer(tx, portfolioId);
    if (summed === undefined) return undefined;
    const { baseCurrency, sums } = summed;
    const issuers = sums.map(({ issuerId }) => issuerId);
    const entities = await this.#use.issuers.summaries(tx, issuers);
    return { baseCurrency, sums, entities, rates: await this.#ratesOf(tx, sums, baseCurrency) };
  }

  /** The rates of the other currencies in which something is held. */
  async #ratesOf(tx: Transaction, held: readonly { readonly currency: string }[], to: string) {
    const from = [...new Set(held.map(({ currency }) => currency))].filter((currency) => currency !== to);
    return ratesFrom(this.#use.rates, tx, { from, to });
  }
}

/** Logs the positions that are not in the totals, since their answers have no place for a warning. */
export function reportOmitted({ omitted }: Pick<Totals, 'omitted'>, portfolioId: string, log: Log): void {
  if (omitted.length === 0) return;
  log.warn('Positions in currencies without an exchange rate are not part of the totals.', {
    portfolio_id: portfolioId,
    omitted: omitted.map(({ currency, count, costBasis, currentValue }) => ({
      currency,
      count,
      cost_basis: costBasis.toString(),
      current_value: currentValue?.toString() ?? null,
    })),
  });
}

function blockOf({ portfolio, positions, entities }: PortfolioHoldings, totals: Totals) {
  const { entity_id: ownerId, created_at, updated_at, ...fields } = portfolio;
  return {
    ...fields,
    owner: entityOf(entities, ownerId),
    positions: positions.map((position) => positionOf(position, entities)),
    total_cost_basis_dollars: dollarsOf(totals.costBasis),
    total_current_value_dollars: totals.currentValue === null ? null : dollarsOf(totals.currentValue),
    active_position_count: positions.length,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

function positionOf(position: HeldPosition, entities: ReadonlyMap<string, EntitySummary>) {
  return {
    id: position.id,
    quantity: Number(position.quantity),
    quantity_type: position.quantity_type,
    cost_basis_dollars: dollarsOf(position.cost_basis),
    current_value_dollars: position.current_value === null ? null : dollarsOf(position.current_value),
    valuation_date: position.valuation_date,
    valuation_source: position.valuation_source,
    acquisition_date: position.acquisition_date,
    status: position.status,
    notes: position.notes,
    security: {
      id: position.security_id,
      name: position.security_name,
      security_type: position.security_type,
      security_subtype: position.security_subtype,
      is_active: position.security_is_active,
      // Null with a source graph means that the issuer has not shared anything yet.
      issuer: entityOf(entities, position.issuer_id),
      source_graph_id: position.security_source_graph_id,
    },
  };
}

function entityOf(entities: ReadonlyMap<string, EntitySummary>, id: string | null) {
  const entity = id === null ? undefined : entities.get(id);
  return entity === undefined ? null : { id: entity.id, name: entity.name, source_graph_id: entity.sourceGraphId };
}
