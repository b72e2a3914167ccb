import blocks from '@pacioli/blocks';
import { describePlugin } from '@pacioli/conformance/vitest';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import claims from '../src/expense-claims/plugin.ts';

describePlugin(claims, {
  with: [ledger, taxonomy, blocks],
  explainedErrors: { 'approve-claim CLAIM_NOT_OPEN': 'Needs accounts; the story below provokes it.' },
});

describe('expense claims', () => {
  let service: TestService;
  let owner: TestClient;
  let graph: string;
  let accounts: Map<string, string>;
  beforeAll(async () => {
    const clock = fixedClock('2026-04-10T09:00:00Z');
    service = await startTestService({ plugins: [claims, ledger, taxonomy, blocks], clock });
    const key = await (await service.newUser('Ann')).post('/v1/user/api-keys', { name: 'Claims' });
    owner = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
    // Books that were there before the plugin.
    graph = await owner.createGraph('Bakery', ['ledger']);
    await owner.post(`/v1/graphs/${graph}/operations/add-extension`, { extension: 'expense-claims' });
    await owner.post(`/extensions/ledger/${graph}/operations/initialize`, { earliest_data_period: '2026-01' });
    await owner.post(`/extensions/ledger/${graph}/operations/initialize-chart-of-accounts`, { template: 'services' });
    const { body } = await owner.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }');
    accounts = new Map(body.data.accounts.accounts.map((each: { id: string; code: string }) => [each.code, each.id]));
  });
  afterAll(() => service.close());

  const operation = (name: string, input: object, client = owner) =>
    client.post(`/extensions/expense-claims/${graph}/operations/${name}`, input);
  const submit = async (day: string) => {
    const [expense, payable] = ['6100', '2000'].map((code) => accounts.get(code) ?? code);
    const input = { day, amount_cents: 1_250, expense_account_id: expense, payable_account_id: payable };
    return (await operation('submit-claim', input)).body.result.claim_id as string;
  };
  const openClaims = async () => {
    const { body } = await owner.graphql(graph, '{ accounts(limit: 200) { accounts { code openClaims } } }');
    return body.data.accounts.accounts.filter((each: { openClaims: number }) => each.openClaims > 0);
  };

  it('are posted once when they are approved, and counted on their account until then', async () => {
    const claim = await submit('2026-03-15');
    expect(await openClaims()).toEqual([{ code: '6100', openClaims: 1 }]);
    const answers = await Promise.all([1, 2, 3, 4].map(() => operation('approve-claim', { claim_id: claim })));
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual(
      [200, 'CLAIM_NOT_OPEN', 'CLAIM_NOT_OPEN', 'CLAIM_NOT_OPEN'].sort(),
    );
    expect(await openClaims()).toEqual([]);
    const { body } = await owner.graphql(graph, '{ journalEntries { entries { memo totalDebit status } } }');
    expect(body.data.journalEntries.entries).toEqual([
      { memo: `Expense claim ${claim}`, totalDebit: 12.5, status: 'posted' },
    ]);
    const stranger = await service.newUser('Eve');
    expect((await operation('approve-claim', { claim_id: claim }, stranger)).status).toBe(403);
  });

  it('are late when their month is closed without them, and cannot be posted to it', async () => {
    const late = await submit('2026-01-20');
    const closed = await owner.post(`/extensions/ledger/${graph}/operations/close-period`, { period: '2026-01' });
    expect(closed.status).toBe(200);
    const command = service.service.commands.find(({ name }) => name === 'claims-open');
    const printed = async () => {
      const lines: string[] = [];
      await command?.run({ options: { graph }, print: (line) => lines.push(line) });
      return lines;
    };
    await expect.poll(printed, { timeout: 30_000 }).toEqual([`2026-01-20 ${late} late`]);
    const refused = await operation('approve-claim', { claim_id: late });
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining("closed period '2026-01'")]);
    await expect(command?.run({ options: { graph: 'kg0' }, print: () => undefined })).rejects.toThrow('no graph');
  });
});
