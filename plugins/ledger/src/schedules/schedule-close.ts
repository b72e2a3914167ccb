import { ruleEngine } from '@pacioli/blocks';
import { type Contribution, contribute, type Token } from '@pacioli/core';
import type { CloseGate } from '../close/index.ts';
import { closeGates, closeSteps, scheduleSources } from '../tokens.ts';
import { majorText } from '../values/index.ts';
import type { ObligationCount, Obligations } from './obligations.ts';
import type { StoredSchedules } from './stored-schedules.ts';

interface CloseServices {
  readonly obligations: Obligations;
  readonly schedules: StoredSchedules;
}

/** Schedules whose rules are evaluated together: the longest has 1,801 facts, and an evaluation reads up to 50,000. */
const schedulesPerEvaluation = 25;

const statuses = ['pass', 'fail', 'error', 'skipped'] as const;

/** The gates and the step that schedules contribute to a close (ledger 7.3, L-158, L-174). */
export const scheduleClose = (scheduling: Token<CloseServices>): readonly Contribution[] => [
  contribute(closeGates, 'pending_obligations', {
    after: ['sync_stale'],
    services: { scheduling },
    create: (use) => ({
      label: 'pending obligations',
      evaluate: async ({ tx, month }) => {
        const found = await use.scheduling.obligations.blockers(tx, 'pending', endOf(month.end));
        return asFinding(found, {
          pending_obligation_count: found.count,
          pending_obligation_sample: found.sample,
          earliest_pending_period: found.earliest,
        });
      },
    }),
  }),
  contribute(closeGates, 'stranded_obligations', {
    after: ['pending_obligations'],
    services: { scheduling },
    create: (use): Omit<CloseGate, 'key'> => ({
      overrideFlag: 'allow_stranded_obligations',
      label: 'stranded obligations',
      evaluate: async ({ tx, month }) => {
        const found = await use.scheduling.obligations.blockers(tx, 'stranded', endOf(month.end));
        return asFinding(found, {
          stranded_obligation_count: found.count,
          stranded_obligation_sample: found.sample,
        });
      },
    }),
  }),
  contribute(closeSteps, 'schedule-rules', {
    services: { scheduling, engine: ruleEngine },
    create: (use) => ({
      run: async ({ tx, month, userId, now }) => {
        const structureIds = await use.scheduling.schedules.inMonth(tx, month.period);
        if (structureIds.length === 0) return {};
        const total = { pass: 0, fail: 0, error: 0, skipped: 0 };
        for (let from = 0; from < structureIds.length; from += schedulesPerEvaluation) {
          const batch = structureIds.slice(from, from + schedulesPerEvaluation);
          const { summary } = await use.engine.evaluate(tx, { structureIds: batch, userId, now });
          for (const status of statuses) total[status] += summary[status];
        }
        return { rule_summary: total, evaluated_structure_ids: structureIds };
      },
    }),
  }),
  contribute(scheduleSources, 'ledger', {
    services: { scheduling },
    create: (use) => ({
      activeSchedules: async (tx, month) => {
        const items = await use.scheduling.schedules.monthItems(tx, month.period);
        return items.map((item) => ({
          structureId: item.structure_id,
          name: item.name,
          amount: majorText(BigInt(item.amount), item.currency),
        }));
      },
    }),
  }),
];

/** The last instant of a day at which an obligation can mature. */
function endOf(day: string): Date {
  return new Date(`${day}T23:59:59Z`);
}

function asFinding<Details>(found: ObligationCount, details: Details) {
  return found.count === 0 ? undefined : { count: found.count, details };
}
