import { instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import type { MemberRow, PublishListRow, SourceBlockRow } from '../distribution/index.ts';

const text = () => nullable(Type.String());

const listFields = {
  id: Type.String(),
  name: Type.String(),
  created_by: Type.String(),
  created_at: instant(),
  updated_at: instant(),
};

const memberFields = {
  id: Type.String(),
  target_graph_id: Type.String(),
  added_by: Type.String(),
  added_at: instant(),
};

/** A list without its members, as operations return it. */
export const PublishListResponse = model('PublishListResponse', {
  ...listFields,
  description: Type.Optional(text()),
  member_count: Type.Optional(Type.Integer({ default: 0 })),
});

/** The same list as queries return it. */
export const PublishList = model('PublishList', { ...listFields, description: text(), member_count: Type.Integer() });

/** A member as operations return it. */
export const PublishListMemberResponse = model('PublishListMemberResponse', {
  ...memberFields,
  target_graph_name: Type.Optional(text()),
  target_org_name: Type.Optional(text()),
});

export const PublishListDetail = model('PublishListDetail', {
  ...listFields,
  description: text(),
  member_count: Type.Integer(),
  members: Type.Array(
    model('PublishListMember', { ...memberFields, target_graph_name: text(), target_org_name: text() }),
  ),
});

const blockFields = {
  id: Type.String(),
  source_graph_id: Type.String(),
  blocked_by: Type.String(),
  blocked_at: instant(),
};

/** A blocked source as operations return it. */
export const BlockedSourceGraphResponse = model('BlockedSourceGraphResponse', {
  ...blockFields,
  source_graph_name: Type.Optional(text()),
  reason: Type.Optional(text()),
});

/** The same block as queries return it. */
export const BlockedSourceGraph = model('BlockedSourceGraph', {
  ...blockFields,
  source_graph_name: text(),
  reason: text(),
});

/** A list in its wire form. */
export function shownList({ created_at, updated_at, ...list }: PublishListRow) {
  return { ...list, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/** A member in its wire form. */
export function shownMember({ added_at, ...member }: MemberRow) {
  return { ...member, added_at: added_at.toISOString() };
}

/** A block in its wire form. */
export function shownBlock({ blocked_at, ...block }: SourceBlockRow) {
  return { ...block, blocked_at: blocked_at.toISOString() };
}
