import { isServiceError, sql, type Transaction } from '@pacioli/core';
import { type JournalPlan, type PlannedEntry, totals } from '../journal/index.ts';
import { type Actor, exactMinor } from '../values/index.ts';
import type { EventPlanner, EventToRecord } from './event-planner.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { HandlerRow, StoredHandlers } from './handlers/stored-handlers.ts';

/** One entry as its first debit and credit; for an entry of more lines only a summary (ledger L-96). */
export interface PlannedTransaction {
  readonly entry_index: number;
  readonly debit_element_id: string;
  readonly credit_element_id: string;
  readonly amount_cents: number;
  readonly interpolated_debit_amount: string;
  readonly interpolated_credit_amount: string;
}

export interface EventPreviewed {
  readonly would_succeed: boolean;
  readonly planned_transactions: readonly PlannedTransaction[];
  readonly validation_errors: readonly string[];
  readonly handler_metadata: Readonly<Record<string, unknown>>;
  /** The tenant's rule that would apply; null for a built-in handler (ledger L-96). */
  readonly matched_handler: HandlerRow | null;
  /** Undefined for an event that writes no entries, or is refused. */
  readonly plan: JournalPlan | undefined;
}

/**
 * Previews an event by recording it and rolling back, so that it refuses exactly what recording refuses (ledger L-97).
 */
export class EventPreview {
  readonly #recorder: EventRecorder;
  readonly #planner: EventPlanner;
  readonly #handlers: StoredHandlers;

  constructor(parts: {
    readonly recorder: EventRecorder;
    readonly planner: EventPlanner;
    readonly handlers: StoredHandlers;
  }) {
    this.#recorder = parts.recorder;
    this.#planner = parts.planner;
    this.#handlers = parts.handlers;
  }

  async preview(tx: Transaction, given: EventToRecord, by: Actor): Promise<EventPreviewed> {
    try {
      const { plan } = await dryRun(tx, () => this.#recorder.record(tx, given, by));
      const rule = plan?.rule === undefined ? undefined : await this.#handlers.find(tx, plan.rule.id);
      return {
        would_succeed: true,
        matched_handler: rule ?? null,
        plan,
        planned_transactions: (plan?.entries ?? []).map(plannedTransaction),
        validation_errors: [],
        handler_metadata:
          plan === undefined
            ? {}
            : this.#facts(rule?.name ?? this.#planner.builtIn(given.event_type)?.displayName, plan),
      };
    } catch (error) {
      if (!isServiceError(error) || error.kind === 'internal') throw error;
      return {
        would_succeed: false,
        planned_transactions: [],
        validation_errors: [error.message],
        handler_metadata: {},
        matched_handler: null,
        plan: undefined,
      };
    }
  }

  #facts(handler: string | undefined, plan: JournalPlan): Readonly<Record<string, unknown>> {
    const sums = plan.entries.map((entry) => totals(entry.lines));
    return {
      handler,
      ...(plan.facts ?? {
        total_debit_cents: exactMinor(
          sums.reduce((sum, { debit }) => sum + debit, 0n),
          'The total of the debits',
        ),
        total_credit_cents: exactMinor(
          sums.reduce((sum, { credit }) => sum + credit, 0n),
          'The total of the credits',
        ),
      }),
      target_status: plan.eventStatus,
      entry_count: plan.entries.length,
    };
  }
}

function plannedTransaction(entry: PlannedEntry, index: number): PlannedTransaction {
  const { debit, credit } = totals(entry.lines);
  return {
    entry_index: index,
    debit_element_id: entry.lines.find((line) => line.debit > 0n)?.elementId ?? '',
    credit_element_id: entry.lines.find((line) => line.credit > 0n)?.elementId ?? '',
    amount_cents: exactMinor(debit, 'The total of an entry'),
    interpolated_debit_amount: String(debit),
    interpolated_credit_amount: String(credit),
  };
}

/** Does the work and rolls back everything that it wrote, locks included; returns or throws as the work does. */
async function dryRun<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.query(sql`SAVEPOINT dry_run`);
  try {
    return await work();
  } finally {
    await tx.query(sql`ROLLBACK TO SAVEPOINT dry_run`);
  }
}
