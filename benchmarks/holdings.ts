import blocks from '@pacioli/blocks';
import investor from '@pacioli/investor';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import Koa from 'koa';
import type pg from 'pg';
import { listen, startBenchService } from './bench-service.ts';
import { type Figure, inTurns, medianOf } from './measure.ts';

const securities = 2_000;
const portfolios = 5;
const issuers = 100;

/**
 * Holdings of 10,000 positions in 2,000 securities over GraphQL, compared with the same aggregate as one statement that
 * a bare HTTP server sends as JSON.
 */
export async function holdings(): Promise<readonly Figure[]> {
  const bench = await startBenchService([taxonomy, blocks, ledger, investor], { investor: ['roboinvestor'] });
  const bare = await listen(bareServer(bench.pool));
  try {
    const graph = await bench.user.createGraph('Bench', ['roboinvestor']);
    const ids = await fill(bench.pool, graph);
    const each = (work: (id: string) => Promise<unknown>) => () =>
      medianOf(9, async () => {
        for (const id of ids) await work(id);
      });
    const asked = (fields: string) => async (id: string) => {
      const { body } = await bench.user.graphql(graph, `{ holdings(portfolioId: "${id}") { ${fields} } }`);
      if (body.data?.holdings?.totalPositions !== securities)
        throw new Error(`The holdings are wrong: ${JSON.stringify(body).slice(0, 300)}`);
    };
    const served = (path: string) => async (id: string) => {
      const answer = await fetch(`${bare.url}/${path}?graph=${graph}&portfolio=${id}`);
      if (!Array.isArray(await answer.json())) throw new Error('The bare server must return rows.');
    };
    const figures: Figure[] = [];
    for (const { name, fields, path } of cases) {
      const times = await inTurns(3, each(asked(fields)), each(served(path)));
      const alone = await each((id) => bench.pool.query(statements[path], [graph, id]))();
      const note = `the statements alone take ${alone.toFixed(1)} ms`;
      figures.push({ name, unit: 'ms', kind: 'time', goal: '≤ 1.5 ×', note, ...times });
    }
    return figures;
  } finally {
    await bare.close();
    await bench.close();
  }
}

const sums = 'totalEntities totalPositions holdings { entityName totalCostBasisDollars totalCurrentValueDollars';
const rows = 'securities { securityName securityType quantity costBasisDollars currentValueDollars }';

const cases = [
  { name: 'holdings, sums of 10,000 positions', fields: `${sums} }`, path: 'sums' },
  { name: 'holdings, 10,000 positions in full', fields: `${sums} ${rows} }`, path: 'rows' },
] as const;

/** Sends the rows of a statement, without authentication or schema. */
function bareServer(pool: pg.Pool): Koa {
  const app = new Koa();
  app.use(async (context) => {
    const { graph, portfolio } = context.query;
    const statement = context.path === '/rows' ? statements.rows : statements.sums;
    context.body = (await pool.query(statement, [graph, portfolio])).rows;
  });
  return app;
}

const held = `FROM investor_position AS p
  JOIN investor_security AS s ON s.graph_id = p.graph_id AND s.id = p.security_id
  LEFT JOIN ledger_entity AS e ON e.graph_id = s.graph_id AND e.id = s.entity_id
  WHERE p.graph_id = $1 AND p.portfolio_id = $2 AND p.status = 'active'`;

const statements = {
  sums: `SELECT s.entity_id, p.currency, max(e.name) AS name, count(*), sum(p.cost_basis), sum(p.current_value) ${held}
    GROUP BY s.entity_id, p.currency ORDER BY max(e.name) COLLATE "C"`,
  rows: `SELECT s.entity_id, p.currency, max(e.name) AS name, count(*), sum(p.cost_basis), sum(p.current_value),
      json_agg(json_build_object('securityName', s.name, 'securityType', s.security_type, 'quantity', p.quantity,
        'costBasisDollars', p.cost_basis / 100.0, 'currentValueDollars', p.current_value / 100.0) ORDER BY s.name, s.id)
    ${held} GROUP BY s.entity_id, p.currency ORDER BY max(e.name) COLLATE "C"`,
} as const;

/** Writes issuers, securities and positions as rows, which is not measured, and returns the ids of the portfolios. */
async function fill(pool: pg.Pool, graph: string): Promise<readonly string[]> {
  const at = `'bench', '2026-01-01', '2026-01-01'`;
  await pool.query(
    `INSERT INTO ledger_entity (graph_id, id, name, source, is_parent, created_at, updated_at)
     SELECT $1, 'ent_' || n, 'Issuer ' || n, 'bench', false, '2026-01-01', '2026-01-01' FROM generate_series(1, $2) AS n`,
    [graph, issuers],
  );
  await pool.query(
    `INSERT INTO investor_security (graph_id, id, name, security_type, entity_id, issuer_origin, created_by, created_at,
       updated_at)
     SELECT $1, 'sec_' || n, 'Security ' || n, 'bond', 'ent_' || (1 + n % $3), 'caller', ${at}
     FROM generate_series(1, $2) AS n`,
    [graph, securities, issuers],
  );
  const ids = Array.from({ length: portfolios }, (_, index) => `port_${index}`);
  for (const id of ids) {
    await pool.query(
      `INSERT INTO investor_portfolio (graph_id, id, name, base_currency, created_by, created_at, updated_at)
       VALUES ($1, $2, $2, 'USD', ${at})`,
      [graph, id],
    );
    await pool.query(
      `INSERT INTO investor_position (graph_id, id, portfolio_id, security_id, quantity, quantity_type, cost_basis,
         currency, current_value, status, created_by, created_at, updated_at)
       SELECT $1, 'pos_' || $2 || '_' || n, $2, 'sec_' || n, n, 'principal', n * 101, 'USD', n * 103, 'active', ${at}
       FROM generate_series(1, $3) AS n`,
      [graph, id, securities],
    );
  }
  await pool.query('ANALYZE');
  return ids;
}
