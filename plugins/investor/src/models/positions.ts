import { calendarDate, instant, model, nullable } from '@pacioli/core';
import type { EntitySummary } from '@pacioli/ledger';
import { Type } from 'typebox';
import type { HeldPosition } from '../positions/index.ts';
import { dollarsOf } from '../values/index.ts';

const shownText = () => nullable(Type.String());
const shownDate = () => nullable(calendarDate());

/** A position as GraphQL shows it. */
export const Position = model(
  'Position',
  {
    id: Type.String(),
    portfolio_id: Type.String(),
    security_id: Type.String(),
    security_name: shownText(),
    entity_name: shownText(),
    quantity: Type.Number(),
    quantity_type: Type.String(),
    cost_basis: Type.Integer(),
    cost_basis_dollars: Type.Number(),
    currency: Type.String(),
    current_value: nullable(Type.Integer()),
    current_value_dollars: nullable(Type.Number()),
    valuation_date: shownDate(),
    valuation_source: shownText(),
    acquisition_date: shownDate(),
    disposition_date: shownDate(),
    status: Type.String(),
    notes: shownText(),
    created_at: instant(),
    updated_at: instant(),
  },
  {
    fields: {
      entity_name: 'The name of the issuer of the security.',
      cost_basis: 'In hundredths of the major unit, in every currency.',
      current_value: 'In hundredths of the major unit; null without a mark.',
      status: '`active`, `disposed` or `archived`.',
    },
  },
);

/** A position with the names of its security and issuer. */
export function positionView(row: HeldPosition, issuers: ReadonlyMap<string, EntitySummary>) {
  const {
    security_type: _type,
    security_subtype: _subtype,
    security_is_active: _active,
    security_source_graph_id: _source,
    issuer_id: issuerId,
    ...fields
  } = row;
  return {
    ...fields,
    entity_name: issuerId === null ? null : (issuers.get(issuerId)?.name ?? null),
    quantity: Number(row.quantity),
    cost_basis_dollars: dollarsOf(row.cost_basis),
    current_value_dollars: row.current_value === null ? null : dollarsOf(row.current_value),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
