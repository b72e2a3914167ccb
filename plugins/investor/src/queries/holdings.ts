import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { rollupOf, securitiesOf } from '../holdings/index.ts';
import { investments } from '../investments.ts';
import { reportOmitted } from '../portfolios/index.ts';
import type { HeldColumns } from '../positions/index.ts';

const HoldingSecuritySummary = model('HoldingSecuritySummary', {
  security_id: Type.String(),
  security_name: Type.String(),
  security_type: Type.String(),
  quantity: Type.Number(),
  quantity_type: Type.String(),
  cost_basis_dollars: Type.Number(),
  current_value_dollars: nullable(Type.Number()),
});

const Holding = model(
  'Holding',
  {
    entity_id: Type.String(),
    entity_name: Type.String(),
    source_graph_id: nullable(Type.String()),
    securities: Type.Array(HoldingSecuritySummary),
    total_cost_basis_dollars: Type.Number(),
    total_current_value_dollars: nullable(Type.Number()),
    position_count: Type.Integer(),
  },
  {
    fields: {
      entity_id: 'The issuer; `unlinked` for all securities without one.',
      source_graph_id: 'The graph whose shared reports created the issuer.',
      securities: 'One row per active position, by name.',
      total_current_value_dollars: 'The sum of the positions that have a value; null if none of them has one.',
    },
  },
);

const HoldingsList = model('HoldingsList', {
  holdings: Type.Array(Holding),
  total_entities: Type.Integer(),
  total_positions: Type.Integer(),
});

export default defineQuery({
  name: 'holdings',
  summary: 'The active positions of a portfolio by issuer; null if the graph does not have the portfolio.',
  args: model('HoldingsArgs', { portfolio_id: Type.String() }),
  returns: nullable(HoldingsList),
  mcp: { tool: 'get-holdings', hint: 'Use it to see the positions of a portfolio by issuer.' },
  services: { investments },
  cost: { points: 30 },
  async resolve({ args, ctx, use }) {
    const { blocks, positions } = use.investments;
    const held = await blocks.sums(ctx.tx, args.portfolio_id);
    if (held === undefined) return null;
    const { groups, positionCount, omitted } = rollupOf(held);
    reportOmitted({ omitted }, args.portfolio_id, ctx.log);
    // One statement reads the positions of all groups, for a caller who selects them.
    let reading: Promise<ReadonlyMap<string | null, HeldColumns>> | undefined;
    const read = () => {
      reading ??= positions
        .heldByIssuer(ctx.tx, args.portfolio_id)
        .then((rows) => new Map(rows.map((row) => [row.issuer_id, row])));
      return reading;
    };
    return {
      holdings: groups.map(({ issuerId, totals }) => ({
        ...totals,
        securities: async () => {
          const found = (await read()).get(issuerId);
          return found === undefined ? [] : securitiesOf(found);
        },
      })),
      total_entities: groups.length,
      total_positions: positionCount,
    };
  },
});
