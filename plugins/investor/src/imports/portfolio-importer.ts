import type { Transaction } from '@pacioli/core';
import type { InvestorSettings } from '../config.ts';
import type { StoredPortfolios } from '../portfolios/index.ts';
import type { StoredPositions } from '../positions/index.ts';
import type { Issuers, SecurityBatches, SecurityFields } from '../securities/index.ts';
import type { Instrument, InstrumentTerms } from '../terms/index.ts';
import type { Actor } from '../values/index.ts';
import { checkRows } from './check-rows.ts';
import { withIssuers } from './find-issuers.ts';
import type { ImportPlan, PlannedSecurity } from './import-plan.ts';
import type { DescribedSecurity, FileRow } from './portfolio-file.ts';
import type { RowProblem } from './row-reader.ts';

interface ImporterServices {
  readonly securities: SecurityBatches;
  readonly positions: StoredPositions;
  readonly portfolios: StoredPortfolios;
  readonly issuers: Issuers;
  readonly instruments: readonly Instrument[];
  readonly terms: InstrumentTerms;
  readonly settings: InvestorSettings;
}

/** The ids of what an import has written. */
export interface ImportedPortfolio {
  readonly portfolioId: string;
  readonly newSecurityIds: readonly string[];
  readonly positionIds: readonly string[];
}

/** Writes the positions of a file into a new portfolio. */
export class PortfolioImporter {
  readonly #use: ImporterServices;

  constructor(use: ImporterServices) {
    this.#use = use;
  }

  /** Checks the rows against the graph, with a constant number of statements. */
  async check(
    tx: Transaction,
    read: readonly FileRow[],
    baseCurrency: string,
  ): Promise<ImportPlan | { readonly problems: readonly RowProblem[] }> {
    const { rows, problems, unknown } = await this.#identified(tx, read);
    const described = rows.flatMap(({ security }) => (isDescribed(security) ? [security] : []));
    const ids = rows.flatMap(({ security }) => (isDescribed(security) ? [] : [security]));
    const names = [...new Set(described.map(({ name }) => name))];
    const { settings, terms, instruments } = this.#use;
    const checked = checkRows(rows, {
      graphId: tx.graphId,
      baseCurrency,
      known: await this.#use.securities.known(tx, { ids, names }),
      entities: await this.#use.issuers.summaries(
        tx,
        described.map(({ entityId }) => entityId),
      ),
      instruments,
      terms,
      termsMode: settings.termsValidation,
      isLenientOnShares: settings.lenientShares,
    });
    if ('problems' in checked || problems.length > 0)
      return { problems: [...problems, ...('problems' in checked ? checked.problems : [])] };
    return { ...checked, unknownIssuers: unknown };
  }

  async #identified(tx: Transaction, rows: readonly FileRow[]) {
    const described = rows.flatMap(({ security }) => (isDescribed(security) ? [security] : []));
    const names = [...new Set(described.flatMap(({ issuerName }) => issuerName ?? []))];
    const ciks = [...new Set(described.flatMap(({ issuerCik }) => issuerCik ?? []))];
    return withIssuers(rows, await this.#use.issuers.called(tx, { names, ciks }));
  }

  /** Writes what has been checked in the same transaction: one portfolio, new securities, one position for each row. */
  async write(
    tx: Transaction,
    plan: ImportPlan,
    { name, baseCurrency, by }: { readonly name: string; readonly baseCurrency: string; readonly by: Actor },
  ): Promise<ImportedPortfolio> {
    const portfolio = { name, base_currency: baseCurrency, description: null, strategy: null, inception_date: null };
    const { id: portfolioId } = await this.#use.portfolios.create(tx, { ...portfolio, entity_id: null }, by);
    const planned = plan.positions.flatMap(({ security }) => (typeof security === 'string' ? [] : [security]));
    const newSecurityIds = await this.#use.securities.add(tx, await this.#withIssuers(tx, planned), by);
    const idOf = new Map(planned.map((security, index) => [security, newSecurityIds[index]]));
    const positions = plan.positions.map(({ security, fields }) => {
      const securityId = typeof security === 'string' ? security : idOf.get(security);
      if (securityId === undefined) throw new Error('A new security has no id.');
      return { security_id: securityId, ...fields };
    });
    const written = await this.#use.positions.add(tx, { portfolioId, positions }, by);
    if (written.length !== positions.length) throw new Error('A new portfolio must take all positions of its file.');
    return { portfolioId, newSecurityIds, positionIds: written.map(({ id }) => id) };
  }

  /** The issuers as `create-security` sets them: the named entity, or the one linked to the source graph (S-2). */
  async #withIssuers(tx: Transaction, planned: readonly PlannedSecurity[]): Promise<readonly SecurityFields[]> {
    const unnamed = planned.filter(({ entity_id: entityId }) => entityId === null);
    const sources = [...new Set(unnamed.map((security) => security.source_graph_id))].sort();
    const issuers = new Map<string | null, Pick<SecurityFields, 'entity_id' | 'issuer_origin'>>();
    for (const source of sources) issuers.set(source, await this.#use.issuers.ofSource(tx, source));
    return planned.map((security) => ({
      ...security,
      issuer_origin: 'caller' as const,
      ...(security.entity_id === null ? issuers.get(security.source_graph_id) : {}),
    }));
  }
}

const isDescribed = (security: FileRow['security']): security is DescribedSecurity => typeof security !== 'string';
