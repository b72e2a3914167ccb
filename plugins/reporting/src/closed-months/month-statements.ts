import type { FactStore, RuleEngine } from '@pacioli/blocks';
import { isServiceError, ServiceError, StoreError, sql, type Transaction } from '@pacioli/core';
import type { CloseStep, CloseStepArgs, CloseStepResult, Entities, FiscalMonth } from '@pacioli/ledger';
import type { ChartOfAccounts, Mappings } from '@pacioli/taxonomy';
import { StatementComposer } from '../statement-facts/index.ts';
import type { StatementReaderParts } from '../statements/index.ts';

export interface MonthStatementParts extends StatementReaderParts {
  readonly chart: ChartOfAccounts;
  readonly mappings: Mappings;
  readonly entities: Entities;
  readonly facts: FactStore;
  readonly rules: RuleEngine;
}

/** The statements of a closed month, by structure. */
type StampedSets = Readonly<Record<string, string>>;

const savepoint = sql`SAVEPOINT statement_rules`;
const release = sql`RELEASE SAVEPOINT statement_rules`;
const rollback = sql`ROLLBACK TO SAVEPOINT statement_rules`;

/** Writes the canonical fact sets of a month when it is closed, and deletes them when it is reopened (F-10, Q-25). */
export class MonthStatements implements Pick<CloseStep, 'run' | 'reopen'> {
  readonly #parts: MonthStatementParts;

  constructor(parts: MonthStatementParts) {
    this.#parts = parts;
  }

  async run(args: CloseStepArgs): Promise<Partial<CloseStepResult>> {
    const { tx, month } = args;
    await this.#deleteSets(tx, month);
    const { chart, entities, mappings } = this.#parts;
    const mappingId = (await chart.exists(tx)) ? await mappings.bookMappingId(tx) : undefined;
    const entity = await entities.primary(tx);
    // The ledger names the reason for a month without statements (ledger L-158).
    if (mappingId === undefined || entity === undefined) return {};
    const sets = await this.#stamp(args, { mappingId, entityId: entity.id }).catch(refuseStamp);
    const summary = await this.#evaluate(args, sets);
    return {
      statements_stamped: true,
      stamped_statement_sets: sets,
      ...(summary === undefined ? {} : { statement_rule_summary: summary }),
    };
  }

  async reopen({ tx, month }: CloseStepArgs): Promise<void> {
    await this.#deleteSets(tx, month);
  }

  /** Matches by window and not by structure, so that the networks of an earlier style go as well (Y-5). */
  async #deleteSets(tx: Transaction, { start, end }: FiscalMonth): Promise<void> {
    const window = { start, end };
    await this.#parts.facts.deleteSets(tx, { scenario: 'actuals', factsetTypes: ['report'], reportId: null, window });
  }

  async #stamp(
    { tx, month, userId, now }: CloseStepArgs,
    { mappingId, entityId }: { readonly mappingId: string; readonly entityId: string },
  ): Promise<StampedSets> {
    const { facts } = this.#parts;
    const { start, end } = month;
    // Each column has its own opening balances (S-13), so the month needs no neighbor.
    const column = { start, end, label: 'Current' };
    const { statements } = await new StatementComposer(this.#parts).compose(tx, [column], { mappingId });
    const setIds = await facts.createSets(
      tx,
      statements.map(({ structure }) => ({
        structureId: structure.structureId,
        entityId,
        periodStart: month.start,
        periodEnd: month.end,
        factsetType: 'report',
        reportId: null,
        scenarioId: null,
        provenance: { origin: 'pivot', mapping_id: mappingId, period: `${month.start}/${month.end}` },
        createdBy: userId,
        now,
      })),
    );
    const placed = statements.map((statement, index) => ({ ...statement, setId: setIds[index] ?? '' }));
    await facts.addFactsToSets(tx, placed, now);
    return Object.fromEntries(placed.map(({ structure, setId }) => [structure.structureId, setId]));
  }

  /** The rules of the month; a failure of the engine leaves the close as it is. */
  async #evaluate(
    { tx, userId, now }: CloseStepArgs,
    sets: StampedSets,
  ): Promise<CloseStepResult['statement_rule_summary'] | undefined> {
    const pins = new Map(Object.entries(sets));
    await tx.query(savepoint);
    try {
      const { summary } = await this.#parts.rules.evaluate(tx, {
        structureIds: [...pins.keys()],
        factSetIds: pins,
        userId,
        now,
      });
      await tx.query(release);
      return summary;
    } catch (error) {
      if (error instanceof StoreError && isRepeatable(error)) throw error;
      await tx.query(rollback);
      await tx.query(release);
      return undefined;
    }
  }
}

/** Failures that concern the whole transaction, which the caller repeats. */
function isRepeatable({ code }: StoreError): boolean {
  return code === 'serialization' || code === 'lock-timeout' || code === 'unreachable' || code === 'busy';
}

/** A month whose statements cannot be written is not closed (ledger L-158). */
function refuseStamp(error: unknown): never {
  if (!isServiceError(error) || error.kind === 'internal' || error.kind === 'conflict') throw error;
  const message = `The statements of the month could not be written: ${error.message}`;
  throw new ServiceError('invalid_input', 'STATEMENT_STAMP_FAILED', message, { cause: error });
}
