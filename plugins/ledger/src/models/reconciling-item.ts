import { model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import type { ReconcilingPlan } from '../reconciling/index.ts';
import { exactMinor } from '../values/index.ts';

const text = () => Type.Optional(nullable(Type.String()));

export const dispositions = ['acknowledge', 'catch_up', 'restate'] as const;

export const Disposition = oneOf(dispositions);

export const DeltaLine = model('ReconcilingItemDeltaLine', {
  prior_net: Type.Integer(),
  accepted_net: Type.Integer(),
  delta: Type.Integer(),
  element_id: text(),
  element_external_id: text(),
  element_code: text(),
  element_name: text(),
});

/** The difference on each account, in minor units, debit-positive. */
export function deltaView(plan: ReconcilingPlan) {
  return plan.delta.map((line) => ({
    prior_net: exactMinor(line.prior, 'The net of an account in the books'),
    accepted_net: exactMinor(line.accepted, 'The net of an account at the source'),
    delta: exactMinor(line.delta, 'The difference of an account'),
    element_id: line.elementId,
    element_external_id: line.externalId,
    element_code: line.account?.code ?? null,
    element_name: line.account?.name ?? null,
  }));
}
