import { columnsOf, type Ids, type Page, type RawBuilder, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { InvestorPortfolio } from '../rows.gen.ts';
import type { Actor } from '../values/index.ts';

/** The fields of a portfolio that a caller sets. */
export type PortfolioFields = Pick<
  InvestorPortfolio,
  'name' | 'description' | 'strategy' | 'inception_date' | 'base_currency' | 'entity_id'
>;

const columns = columnsOf<InvestorPortfolio>()(
  'id',
  'name',
  'description',
  'strategy',
  'inception_date',
  'base_currency',
  'entity_id',
  'created_at',
  'updated_at',
);

export type PortfolioRow = RowOf<typeof columns>;

/** The portfolios of a graph. A portfolio's row is the lock of all writes to its positions. */
export class StoredPortfolios {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  async create(tx: Transaction, portfolio: PortfolioFields, by: Actor): Promise<PortfolioRow> {
    const [row] = await tx.query(sql<PortfolioRow>`
      INSERT INTO investor_portfolio (graph_id, id, name, description, strategy, inception_date, base_currency, entity_id,
        created_by, created_at, updated_at)
      VALUES (${tx.graphId}, ${this.#ids.make('port')}, ${portfolio.name}, ${portfolio.description}, ${portfolio.strategy},
        ${portfolio.inception_date}::date, ${portfolio.base_currency}, ${portfolio.entity_id}, ${by.userId}, ${by.now}, ${by.now})
      RETURNING ${columns}`);
    if (row === undefined) throw new Error('A portfolio must be returned when it is written.');
    return row;
  }

  async find(tx: Transaction, id: string): Promise<PortfolioRow | undefined> {
    return this.#one(tx, id, sql``);
  }

  /** The portfolio, locked until the transaction ends. */
  async findForUpdate(tx: Transaction, id: string): Promise<PortfolioRow | undefined> {
    return this.#one(tx, id, sql`FOR UPDATE`);
  }

  async #one(tx: Transaction, id: string, lock: RawBuilder<unknown>): Promise<PortfolioRow | undefined> {
    const [row] = await tx.query(sql<PortfolioRow>`
      SELECT ${columns} FROM investor_portfolio WHERE graph_id = ${tx.graphId} AND id = ${id} ${lock}`);
    return row;
  }

  /** Writes the fields and the time of the change, which is also that of changes to positions (I-6). */
  async update(tx: Transaction, id: string, portfolio: PortfolioFields, now: Date): Promise<void> {
    await tx.query(sql`
      UPDATE investor_portfolio SET name = ${portfolio.name}, description = ${portfolio.description},
        strategy = ${portfolio.strategy}, inception_date = ${portfolio.inception_date}::date,
        base_currency = ${portfolio.base_currency}, entity_id = ${portfolio.entity_id}, version = version + 1,
        updated_at = ${now}
      WHERE graph_id = ${tx.graphId} AND id = ${id}`);
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query(sql`DELETE FROM investor_portfolio WHERE graph_id = ${tx.graphId} AND id = ${id}`);
  }

  /** A page by name, then id, with one row more than the page, which tells whether others follow. */
  async list(tx: Transaction, page: Page): Promise<readonly PortfolioRow[]> {
    return tx.query(sql<PortfolioRow>`
      SELECT ${columns} FROM investor_portfolio WHERE graph_id = ${tx.graphId} AND name COLLATE "C" >= ''
      ORDER BY name COLLATE "C", id LIMIT ${page.limit + 1} OFFSET ${page.offset}`);
  }

  async count(tx: Transaction): Promise<number> {
    const [row] = await tx.query(sql<{ count: number }>`
      SELECT count(*)::int AS count FROM investor_portfolio WHERE graph_id = ${tx.graphId}`);
    return row?.count ?? 0;
  }
}
