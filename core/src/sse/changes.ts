import { sql } from 'kysely';
import type { Transaction } from '../store/store.ts';

/** The channel that notifies all processes of changes; the triggers of the kernel's tables name it too. */
export const changeChannel = 'pacioli_change';

/**
 * The kinds of changes: the rights of a user or on a graph, the tools of a graph, its list of documents (one was created,
 * renamed, moved or deleted), and one document.
 */
export type ChangeKind = 'access' | 'tools' | 'documents' | 'document';

/** A change of a graph. It says where to look, never what is there: whoever hears it reads with rights of their own. */
export interface GraphChange {
  readonly kind: Exclude<ChangeKind, 'access'>;
  /** The id of the document, for the kind `document`. */
  readonly subject?: string;
}

/** A change as streams hear it. */
export interface HeardChange {
  readonly kind: ChangeKind;
  readonly subject: string | undefined;
}

/** Notifies streams in all processes of changes of the graph of this transaction, once it is committed. */
export async function noteChanges(tx: Transaction, changes: readonly GraphChange[]): Promise<void> {
  const { graphId } = tx;
  const payloads = changes.map(({ kind, subject }) => [graphId, kind, subject].filter(Boolean).join(' '));
  await tx.query(sql`SELECT pg_notify(${changeChannel}, payload) FROM unnest(${payloads}::text[]) AS payload`);
}

/** Notifies streams in all processes, once the transaction is committed, that the rights of users must be checked. */
export async function noteAccessOfUsers(tx: Transaction, userIds: readonly string[]): Promise<void> {
  await tx.query(sql`SELECT pg_notify(${changeChannel}, concat(id, ' access')) FROM unnest(${userIds}::text[]) AS id`);
}

/** Parses a payload of the channel; undefined for one that this version does not know. */
export function readChange(payload: string): (HeardChange & { readonly of: string }) | undefined {
  const [of = '', kind = '', subject] = payload.split(' ');
  return isKind(kind) ? { of, kind, subject } : undefined;
}

function isKind(kind: string): kind is ChangeKind {
  return kind === 'access' || kind === 'tools' || kind === 'documents' || kind === 'document';
}
