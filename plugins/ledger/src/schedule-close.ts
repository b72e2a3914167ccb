import { ruleEngine } from '@pacioli/blocks';
import { type Contribution, contribute } from '@pacioli/core';
import { majorText } from './domain/money.ts';
import { obligationStore, scheduleStore } from './schedule-tokens.ts';
import type { ObligationCount } from './store/obligations.ts';
import { type CloseGate, closeGates, closeSteps, scheduleSources } from './tokens.ts';

/** What schedules have to do with closing a month (ledger 7.3, L-158, L-174). */
export const scheduleClose: readonly Contribution[] = [
  contribute(closeGates, 'pending_obligations', {
    needs: { obligationStore },
    create: (use) => ({
      order: 50,
      label: 'pending obligations',
      evaluate: async ({ tx, month }) => {
        const found = await use.obligationStore.blockers(tx, 'pending', endOf(month.end));
        return asFinding(found, {
          pending_obligation_count: found.count,
          pending_obligation_sample: found.sample,
          earliest_pending_period: found.earliest,
        });
      },
    }),
  }),
  contribute(closeGates, 'stranded_obligations', {
    needs: { obligationStore },
    create: (use): Omit<CloseGate, 'key'> => ({
      order: 60,
      overrideFlag: 'allow_stranded_obligations',
      label: 'stranded obligations',
      evaluate: async ({ tx, month }) => {
        const found = await use.obligationStore.blockers(tx, 'stranded', endOf(month.end));
        return asFinding(found, {
          stranded_obligation_count: found.count,
          stranded_obligation_sample: found.sample,
        });
      },
    }),
  }),
  contribute(closeSteps, 'schedule-rules', {
    needs: { scheduleStore, engine: ruleEngine },
    create: (use) => ({
      order: 10,
      run: async ({ tx, month, userId, now }) => {
        const structureIds = await use.scheduleStore.inMonth(tx, month.period);
        if (structureIds.length === 0) return {};
        const { summary } = await use.engine.evaluate(tx, { structureIds, userId, now });
        return { rule_summary: summary, evaluated_structure_ids: structureIds };
      },
    }),
  }),
  contribute(scheduleSources, 'ledger', {
    needs: { scheduleStore },
    create: (use) => ({
      activeSchedules: async (tx, month) => {
        const items = await use.scheduleStore.monthItems(tx, month.period);
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
