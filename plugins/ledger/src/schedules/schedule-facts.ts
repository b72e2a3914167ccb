import { boundsOf } from '../values/index.ts';
import type { EntryTemplate, ScheduleMetadata, ScheduleMonth, SchedulePlan, Scope } from './schedule-plan.ts';

/** The fields that decide in which direction the balance of the credited account runs. */
export interface CreditedAccount {
  readonly trait: string | null;
  readonly balanceType: string;
}

/** One number of a schedule in minor units; an instant has only an end. */
export interface ScheduleFact {
  readonly elementId: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  readonly amount: bigint;
  readonly scope: Scope;
}

/** True when the balance falls toward zero, as a prepaid expense does; otherwise it rises from zero (ledger L-179). */
export function drawsDown(account: CreditedAccount): boolean {
  return account.trait === 'asset' && account.balanceType === 'debit';
}

/**
 * The facts of a schedule: the amount of each month, the balance of the credited account, and the net book value when
 * the asset is another account (ledger L-179, reporting B-28 to B-30).
 */
export function factsOf(
  plan: SchedulePlan,
  template: EntryTemplate,
  metadata: ScheduleMetadata | null,
  credited: CreditedAccount,
): readonly ScheduleFact[] {
  const [first] = plan.months;
  if (first === undefined) return [];
  const full = plan.base ?? plan.months.at(-1)?.accumulated ?? 0n;
  const balance = drawsDown(credited) ? (spent: bigint) => full - spent : (spent: bigint) => spent;
  const asset = metadata?.asset_element_id ?? null;
  const hasOwnAsset = asset !== null && asset !== template.credit_element_id;
  const cost = metadata === null || metadata.original_amount === 0 ? full : BigInt(metadata.original_amount);
  const instants = (date: string, spent: bigint, scope: Scope): readonly ScheduleFact[] => [
    { elementId: template.credit_element_id, periodStart: null, periodEnd: date, amount: balance(spent), scope },
    ...(hasOwnAsset ? [{ elementId: asset, periodStart: null, periodEnd: date, amount: cost - spent, scope }] : []),
  ];
  return [
    ...instants(boundsOf(first.period).start, 0n, first.scope),
    ...plan.months.flatMap((month) => [
      moved(template.debit_element_id, month),
      ...instants(boundsOf(month.period).end, month.accumulated, month.scope),
    ]),
  ];
}

function moved(elementId: string, month: ScheduleMonth): ScheduleFact {
  const { start, end } = boundsOf(month.period);
  return { elementId, periodStart: start, periodEnd: end, amount: month.amount, scope: month.scope };
}
