import { instant, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import type { OpenBalance, Side } from '../open-items/index.ts';
import type { AgentRow } from '../parties/index.ts';

export const agentText = () => Type.Optional(nullable(Type.String({ maxLength: 500 })));

export const contactFields = {
  legal_name: agentText(),
  tax_id: agentText(),
  registration_number: agentText(),
  duns: agentText(),
  lei: agentText(),
  email: agentText(),
  phone: agentText(),
};

const stored = () => Type.Optional(nullable(Type.String()));

export const LedgerAgentResponse = model('LedgerAgentResponse', {
  id: Type.String(),
  agent_type: Type.String(),
  name: Type.String(),
  source: Type.String(),
  is_active: Type.Boolean(),
  is_1099_recipient: Type.Boolean(),
  legal_name: stored(),
  tax_id: stored(),
  registration_number: stored(),
  duns: stored(),
  lei: stored(),
  email: stored(),
  phone: stored(),
  address: Type.Optional(nullable(openObject())),
  external_id: stored(),
  created_at: Type.Optional(nullable(instant())),
  updated_at: Type.Optional(nullable(instant())),
  created_by: stored(),
});

export const OpenBalanceByAgent = model('OpenBalanceByAgent', {
  agent_id: Type.String(),
  open_balance_cents: Type.Integer(),
  open_event_count: Type.Integer(),
  currency: Type.String(),
});

export const OpenBalanceAggregate = model('OpenBalanceAggregate', {
  total_open_cents: Type.Integer(),
  counterparty_count: Type.Integer(),
  open_event_count: Type.Integer(),
  currency: Type.String(),
});

const shown = () => nullable(Type.String());

/** An agent as GraphQL shows it. */
export const Agent = model('Agent', {
  id: Type.String(),
  agent_type: Type.String(),
  name: Type.String(),
  legal_name: shown(),
  tax_id: shown(),
  registration_number: shown(),
  duns: shown(),
  lei: shown(),
  email: shown(),
  phone: shown(),
  address: nullable(openObject()),
  source: Type.String(),
  external_id: shown(),
  is_active: Type.Boolean(),
  is_1099_recipient: Type.Boolean(),
  created_at: nullable(instant()),
  updated_at: nullable(instant()),
  created_by: shown(),
  open_receivable: nullable(OpenBalanceByAgent),
  open_payable: nullable(OpenBalanceByAgent),
});

/** An agent as operations and GraphQL show it, without its metadata. */
export function agentView(row: AgentRow) {
  const { metadata: _metadata, address, created_at, updated_at, ...fields } = row;
  return {
    ...fields,
    address: address === null ? null : { ...address },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/**
 * Agents with their open balances; null when nothing is open (ledger L-35a). The balances of a side are read only when
 * selected, with one statement for all of these agents.
 */
export function withBalances(
  rows: readonly AgentRow[],
  readOpen: (side: Side, agentIds: readonly string[]) => Promise<ReadonlyMap<string, OpenBalance>>,
) {
  const ids = rows.map(({ id }) => id);
  const balanceOf = (side: Side) => {
    let read: ReturnType<typeof readOpen> | undefined;
    return async (id: string): Promise<OpenBalance | null> => {
      read ??= readOpen(side, ids);
      return (await read).get(id) ?? null;
    };
  };
  const [receivable, payable] = [balanceOf('receivable'), balanceOf('payable')];
  return rows.map((row) => ({
    ...agentView(row),
    open_receivable: () => receivable(row.id),
    open_payable: () => payable(row.id),
  }));
}
