import {
  characterCount,
  columnsOf,
  type Ids,
  invalidInput,
  type Page,
  type RowOf,
  ServiceError,
  StoreError,
  sql,
  type Transaction,
} from '@pacioli/core';
import type { ReportingPublishList, ReportingPublishListMember } from '../rows.gen.ts';
import { listNotFound, notListCreator } from './refusals.ts';
import type { GraphNames } from './target-graphs.ts';

const maxNameCharacters = 255;
const maxDescriptionCharacters = 4_000;
const maxLists = 1_000;
const maxMembers = 500;

const listColumns = columnsOf<ReportingPublishList>('l')(
  'id',
  'name',
  'description',
  'created_by',
  'created_at',
  'updated_at',
);
const withMemberCount = sql`${listColumns}, (select count(*)::int from reporting_publish_list_member m
  where m.graph_id = l.graph_id and m.list_id = l.id) as member_count`;

/** A list with the number of its members. */
export type PublishListRow = RowOf<typeof listColumns> & { readonly member_count: number };

const memberColumns = columnsOf<ReportingPublishListMember>('m')('id', 'target_graph_id', 'added_by', 'added_at');

/** A member with the names that the sender may know: of its own organization, or of the last delivery (investor L-3). */
export type MemberRow = RowOf<typeof memberColumns> &
  Pick<ReportingPublishListMember, 'target_graph_name' | 'target_org_name'>;

/** The changes of a list; undefined leaves a field as it is (D-1). */
export interface ListChange {
  readonly name: string | undefined;
  /** Empty text clears it. */
  readonly description: string | undefined;
}

/** The transaction, author and time of a change. */
interface ListWork {
  readonly tx: Transaction;
  readonly userId: string;
  readonly now: Date;
}

/** One list; undefined if the graph has none with this id. */
export async function findList(tx: Transaction, listId: string): Promise<PublishListRow | undefined> {
  const [row] = await tx.query(sql<PublishListRow>`select ${withMemberCount} from reporting_publish_list l
    where l.graph_id = ${tx.graphId} and l.id = ${listId}`);
  return row;
}

/** A page of the lists by name, and the number of all lists. */
export async function listLists(
  tx: Transaction,
  page: Page,
): Promise<{ readonly rows: readonly PublishListRow[]; readonly total: number }> {
  const rows = await tx.query(sql<PublishListRow>`select ${withMemberCount} from reporting_publish_list l
    where l.graph_id = ${tx.graphId} order by l.name, l.id limit ${page.limit} offset ${page.offset}`);
  const [all] = await tx.query(sql<{ readonly total: number }>`select count(*)::int as total from reporting_publish_list
    where graph_id = ${tx.graphId}`);
  return { rows, total: all?.total ?? 0 };
}

/** The members of a list, oldest first, at most 500. */
export async function listMembers(tx: Transaction, listId: string): Promise<readonly MemberRow[]> {
  return tx.query(sql<MemberRow>`select ${memberColumns},
      coalesce(s.target_graph_name, m.target_graph_name) as target_graph_name,
      coalesce(s.target_org_name, m.target_org_name) as target_org_name
    from reporting_publish_list_member m left join lateral (
      select k.target_graph_name, k.target_org_name from reporting_share k
      where k.graph_id = m.graph_id and k.target_graph_id = m.target_graph_id order by k.shared_at desc, k.id desc limit 1
    ) s on true
    where m.graph_id = ${tx.graphId} and m.list_id = ${listId} order by m.added_at, m.id limit ${maxMembers}`);
}

export async function createList(
  { tx, userId, now }: ListWork,
  ids: Ids,
  given: { readonly name: string; readonly description: string | undefined },
): Promise<PublishListRow> {
  const { total } = await listLists(tx, { limit: 1, offset: 0 });
  if (total >= maxLists) throw invalidInput(`A graph has at most ${maxLists} publish lists.`);
  const id = ids.make('pl');
  await writeUniquelyNamed(
    tx,
    sql`insert into reporting_publish_list (graph_id, id, name, description, created_by, created_at,
      updated_at)
    values (${tx.graphId}, ${id}, ${validName(given.name)}, ${validDescription(given.description)}, ${userId}, ${now},
      ${now})`,
  );
  return readList(tx, id);
}

export async function updateList(work: ListWork, listId: string, change: ListChange): Promise<PublishListRow> {
  const { tx, now } = work;
  const list = await lockOwnList(work, listId);
  const name = change.name === undefined ? list.name : validName(change.name);
  const description = change.description === undefined ? list.description : validDescription(change.description);
  await writeUniquelyNamed(
    tx,
    sql`update reporting_publish_list set name = ${name}, description = ${description},
    updated_at = ${now} where graph_id = ${tx.graphId} and id = ${listId}`,
  );
  return readList(tx, listId);
}

/** Deletes a list with its members; what was shared stays (D-1). */
export async function deleteList(work: ListWork, listId: string): Promise<void> {
  await lockOwnList(work, listId);
  await work.tx.query(sql`delete from reporting_publish_list
    where graph_id = ${work.tx.graphId} and id = ${listId}`);
}

/** Adds graphs that exist, all or none; returns the new members in the order given (investor L-1). */
export async function addMembers(
  work: ListWork,
  ids: Ids,
  given: {
    readonly listId: string;
    readonly targetIds: readonly string[];
    readonly names: ReadonlyMap<string, GraphNames>;
  },
): Promise<readonly MemberRow[]> {
  const { listId, targetIds, names } = given;
  const { tx, userId, now } = work;
  await lockOwnList(work, listId);
  const present = new Set((await listMembers(tx, listId)).map((member) => member.target_graph_id));
  const repeated = targetIds.filter((id, index) => present.has(id) || targetIds.indexOf(id) !== index);
  if (repeated.length > 0) {
    const names = [...new Set(repeated)].sort().join(', ');
    throw new ServiceError('conflict', 'ALREADY_MEMBER', `Already in this list: ${names}`);
  }
  if (present.size + targetIds.length > maxMembers) {
    throw invalidInput(`A publish list has at most ${maxMembers} members. Use several lists.`);
  }
  const rows = targetIds.map((id) => ({
    id: ids.make('plm'),
    target_graph_id: id,
    target_graph_name: names.get(id)?.graphName ?? null,
    target_org_name: names.get(id)?.orgName ?? null,
    added_by: userId,
    added_at: now,
  }));
  await tx.query(sql`
    insert into reporting_publish_list_member (graph_id, list_id, added_by, added_at, id, target_graph_id,
      target_graph_name, target_org_name)
    select ${tx.graphId}, ${listId}, ${userId}, ${now}, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id text, target_graph_id text,
      target_graph_name text, target_org_name text)`);
  return rows;
}

/** Removes one member; false if the list does not have it. */
export async function removeMember(
  work: ListWork,
  { listId, memberId }: { readonly listId: string; readonly memberId: string },
): Promise<boolean> {
  await lockOwnList(work, listId);
  const removed = await work.tx.query(sql<Pick<ReportingPublishListMember, 'id'>>`
    delete from reporting_publish_list_member
    where graph_id = ${work.tx.graphId} and list_id = ${listId} and id = ${memberId} returning id`);
  return removed.length > 0;
}

/** Refuses a list of another creator before its members are looked up in other graphs (investor L-1). */
export async function requireOwnList(tx: Transaction, listId: string, userId: string): Promise<void> {
  const list = await findList(tx, listId);
  if (list === undefined) throw listNotFound();
  if (list.created_by !== userId) throw notListCreator();
}

/** Locks a list that the caller created (D-1). */
async function lockOwnList({ tx, userId }: ListWork, listId: string): Promise<Omit<PublishListRow, 'member_count'>> {
  const [list] = await tx.query(sql<RowOf<typeof listColumns>>`select ${listColumns} from reporting_publish_list l
    where l.graph_id = ${tx.graphId} and l.id = ${listId} for no key update`);
  if (list === undefined) throw listNotFound();
  if (list.created_by !== userId) throw notListCreator();
  return list;
}

async function readList(tx: Transaction, listId: string): Promise<PublishListRow> {
  const list = await findList(tx, listId);
  if (list === undefined) throw listNotFound();
  return list;
}

async function writeUniquelyNamed(tx: Transaction, statement: ReturnType<typeof sql>): Promise<void> {
  try {
    await tx.query(statement);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
    throw new ServiceError('conflict', 'PUBLISH_LIST_EXISTS', 'A publish list with this name already exists.', {
      cause: error,
    });
  }
}

function validName(given: string): string {
  const name = given.trim();
  if (name === '' || characterCount(name) > maxNameCharacters) {
    throw invalidInput(`name: give 1 to ${maxNameCharacters} characters.`);
  }
  return name;
}

function validDescription(given: string | undefined): string | null {
  if (given === undefined || given.trim() === '') return null;
  if (characterCount(given) > maxDescriptionCharacters) {
    throw invalidInput(`description: give at most ${maxDescriptionCharacters} characters.`);
  }
  return given;
}
