import { columnsOf, type Ids, type Page, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { DeclaredSources } from '@pacioli/ledger';
import type { ReportingShareSetting, ReportingSourceBlock } from '../rows.gen.ts';

const blockColumns = columnsOf<ReportingSourceBlock>('b')(
  'id',
  'source_graph_id',
  'source_graph_name',
  'blocked_by',
  'blocked_at',
  'reason',
);

export type SourceBlockRow = RowOf<typeof blockColumns>;

export async function findBlock(tx: Transaction, sourceGraphId: string): Promise<SourceBlockRow | undefined> {
  const [row] = await tx.query(sql<SourceBlockRow>`select ${blockColumns} from reporting_source_block b
    where b.graph_id = ${tx.graphId} and b.source_graph_id = ${sourceGraphId}`);
  return row;
}

/** Makes a delivery of a source and a block of it wait for each other, so that no copy arrives after a purge. */
export async function lockSource(tx: Transaction, sourceGraphId: string): Promise<void> {
  const lock = `pacioli.reporting.source.${tx.graphId}.${sourceGraphId}`;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
}

/** Blocks a source; a block that exists stays as it is (D-11). */
export async function blockSource(
  tx: Transaction,
  ids: Ids,
  block: Pick<ReportingSourceBlock, 'source_graph_id' | 'source_graph_name' | 'blocked_by' | 'blocked_at' | 'reason'>,
): Promise<{ readonly block: SourceBlockRow; readonly isNew: boolean }> {
  await lockSource(tx, block.source_graph_id);
  const [made] = await tx.query(sql<SourceBlockRow>`
    insert into reporting_source_block as b (graph_id, id, source_graph_id, source_graph_name, blocked_by, blocked_at,
      reason)
    values (${tx.graphId}, ${ids.make('blk')}, ${block.source_graph_id}, ${block.source_graph_name}, ${block.blocked_by},
      ${block.blocked_at}, ${block.reason})
    on conflict (graph_id, source_graph_id) do nothing returning ${blockColumns}`);
  if (made !== undefined) return { block: made, isNew: true };
  const known = await findBlock(tx, block.source_graph_id);
  if (known === undefined) throw new Error('A block was neither written nor found.');
  return { block: known, isNew: false };
}

/** Removes a block and returns it; undefined if the source is not blocked. */
export async function unblockSource(tx: Transaction, sourceGraphId: string): Promise<SourceBlockRow | undefined> {
  const [row] = await tx.query(sql<SourceBlockRow>`delete from reporting_source_block b
    where b.graph_id = ${tx.graphId} and b.source_graph_id = ${sourceGraphId} returning ${blockColumns}`);
  return row;
}

/** A page of the blocks, newest first, and their number. */
export async function listBlocks(
  tx: Transaction,
  page: Page,
): Promise<{ readonly rows: readonly SourceBlockRow[]; readonly total: number }> {
  const rows = await tx.query(sql<SourceBlockRow>`select ${blockColumns} from reporting_source_block b
    where b.graph_id = ${tx.graphId} order by b.blocked_at desc, b.id desc limit ${page.limit} offset ${page.offset}`);
  const [all] = await tx.query(sql<{ readonly total: number }>`select count(*)::int as total
    from reporting_source_block where graph_id = ${tx.graphId}`);
  return { rows, total: all?.total ?? 0 };
}

/** Whose reports a graph accepts (investor X-7). */
export type ShareSetting = Pick<ReportingShareSetting, 'accept_shares' | 'allowed_source_graph_ids'>;

export async function findShareSetting(tx: Transaction): Promise<ShareSetting> {
  const [row] = await tx.query(sql<ShareSetting>`select s.accept_shares, s.allowed_source_graph_ids
    from reporting_share_setting s where s.graph_id = ${tx.graphId}`);
  return row ?? { accept_shares: 'anyone', allowed_source_graph_ids: [] };
}

export async function setShareSetting(
  tx: Transaction,
  setting: ShareSetting,
  by: { readonly userId: string; readonly now: Date },
): Promise<void> {
  await tx.query(sql`
    insert into reporting_share_setting (graph_id, accept_shares, allowed_source_graph_ids, updated_by, updated_at)
    values (${tx.graphId}, ${setting.accept_shares}, ${[...setting.allowed_source_graph_ids]}::text[], ${by.userId},
      ${by.now})
    on conflict (graph_id) do update set accept_shares = excluded.accept_shares,
      allowed_source_graph_ids = excluded.allowed_source_graph_ids, updated_by = excluded.updated_by,
      updated_at = excluded.updated_at`);
}

/** False if the graph has blocked the source, or its setting keeps the source out (investor 7.2, X-7). */
export async function acceptsFrom(
  tx: Transaction,
  declared: readonly DeclaredSources[],
  sourceGraphId: string,
): Promise<boolean> {
  if ((await findBlock(tx, sourceGraphId)) !== undefined) return false;
  const setting = await findShareSetting(tx);
  if (setting.accept_shares === 'anyone') return true;
  if (setting.accept_shares === 'nobody') return false;
  if (setting.allowed_source_graph_ids.includes(sourceGraphId)) return true;
  for (const source of declared) if (await source.declares(tx, sourceGraphId)) return true;
  return false;
}
