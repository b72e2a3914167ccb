import { instant, model, nullable, openObject } from '@pacioli/core';
import type { EntitySummary } from '@pacioli/ledger';
import { Type } from 'typebox';
import type { SecurityRow } from '../securities/index.ts';

const optionalText = () => Type.Optional(nullable(Type.String()));

/** A count of shares in a request. */
export const shareCount = () => Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })));

const meanings = {
  entity_name: 'The name of the issuer, read with the security.',
  source_graph_id: 'The graph of the issuer, whose first share links the security to its entity.',
  terms: 'The terms of the instrument; their keys depend on the type.',
  is_active: 'False after the security was deleted; its positions stay.',
};

const fields = {
  id: Type.String({ graphql: { type: 'ID' } }),
  name: Type.String(),
  security_type: Type.String(),
  terms: openObject(),
  is_active: Type.Boolean(),
  created_at: instant(),
  updated_at: instant(),
  entity_id: optionalText(),
  entity_name: optionalText(),
  source_graph_id: optionalText(),
  security_subtype: optionalText(),
  authorized_shares: Type.Optional(nullable(Type.Integer())),
  outstanding_shares: Type.Optional(nullable(Type.Integer())),
};

/** A security as operations return it. */
export const SecurityResponse = model('SecurityResponse', fields, { fields: meanings });

/** A security as GraphQL shows it. */
export const Security = model('Security', fields, { fields: meanings });

/** A security with the name of its issuer. */
export function securityView(row: SecurityRow, issuers: ReadonlyMap<string, EntitySummary>) {
  const { issuer_origin: _origin, terms, created_at, updated_at, ...shown } = row;
  return {
    ...shown,
    terms: { ...terms },
    entity_name: row.entity_id === null ? null : (issuers.get(row.entity_id)?.name ?? null),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
