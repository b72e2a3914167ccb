import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, type Loose, openFund, startInvestor } from '../../test/investor-service.ts';

let run: InvestorService;
let fund: Fund;
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
});
afterAll(() => run.service.close());

async function archive(options: Readonly<Record<string, unknown>>): Promise<{ code: number; printed: string[] }> {
  const printed: string[] = [];
  const command = run.service.service.commands.find(({ name }) => name === 'archive-positions');
  if (command === undefined) throw new Error('There is no command archive-positions.');
  return { code: await command.run({ options, print: (line) => printed.push(line) }), printed };
}

describe('archive-positions', () => {
  it('archives old disposed positions of one graph, which then cannot be changed (P-33)', async () => {
    const [kept, sold] = [await fund.security('Kept'), await fund.security('Sold')];
    const positions = [
      { security_id: kept, quantity: 1 },
      { security_id: sold, quantity: 1 },
    ];
    const block = await fund.run('create-portfolio-block', { portfolio: { name: 'P' }, positions });
    const id = block.positions[1].id;
    await fund.run('update-portfolio-block', { portfolio_id: block.id, positions: { dispose: [{ id }] } });

    const today = { graph: fund.graph, older_than: '2026-05-02' };
    expect((await archive(today)).printed).toEqual([`Archived 0 positions of ${fund.graph}.`]);
    const tomorrow = { ...today, older_than: '2026-05-03' };
    expect(await archive(tomorrow)).toEqual({ code: 0, printed: [`Archived 1 positions of ${fund.graph}.`] });
    expect((await archive(tomorrow)).printed).toEqual([`Archived 0 positions of ${fund.graph}.`]);

    const { positions: archived } = await fund.query('{ positions(status: "archived") { positions { id } } }');
    expect(archived.positions).toEqual([{ id }]);
    const before = await run.digests(fund.graph);
    for (const change of [{ update: [{ id, notes: 'late' }] }, { dispose: [{ id }] }] as Loose[]) {
      const refused = await fund.operation('update-portfolio-block', { portfolio_id: block.id, positions: change });
      expect([refused.status, refused.body.detail]).toEqual([409, `Position ${id} is archived.`]);
    }
    expect(await run.digests(fund.graph)).toEqual(before);
    const removed = { portfolio_id: block.id, confirm_active_positions: true };
    expect((await fund.run('delete-portfolio-block', removed)).positions_deleted).toBe(2);
  });

  it('names the problem of an unknown graph', async () => {
    await expect(archive({ graph: 'kg00', older_than: '2026-01-01' })).rejects.toThrow("There is no graph 'kg00'.");
  });
});
