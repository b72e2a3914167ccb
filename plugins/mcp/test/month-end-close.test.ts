import type { Client } from '@modelcontextprotocol/client';
import blocks from '@pacioli/blocks';
import { sql } from '@pacioli/core';
import ledger from '@pacioli/ledger';
import mcp from '@pacioli/mcp';
import reporting from '@pacioli/reporting';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient } from './official-client.ts';

/**
 * Goal: an AI client closes the first month of empty books over MCP, as the instructions say. Method: the official client
 * calls only listed tools, with values from earlier results; the owner sends the two operations that are held over REST.
 */
let service: TestService;
let owner: TestClient;
let graphId: string;
let client: Client;
let tools: ReadonlySet<string>;
const called: string[] = [];

beforeAll(async () => {
  service = await startTestService({
    plugins: [taxonomy, blocks, ledger, reporting, mcp],
    aliases: { ledger: ['roboledger'] },
    clock: fixedClock('2025-02-03T12:00:00Z'),
  });
  owner = await service.newUser('Ann');
  graphId = await owner.createGraph('Fernbank Advice', ['roboledger']);
  const { key } = (await owner.post('/v1/user/api-keys', { name: 'mcp' })).body;
  client = await connectClient(`${service.url}/v1/graphs/${graphId}/mcp`, { 'X-API-Key': key });
  tools = new Set((await client.listTools()).tools.map(({ name }) => name));
});
afterAll(async () => {
  await client?.close();
  await service?.close();
});

/** Calls a listed tool that must succeed, and returns its result. */
async function call(name: string, given: Readonly<Record<string, unknown>> = {}) {
  expect([...tools]).toContain(name);
  called.push(name);
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content as readonly { readonly text: string }[]; // Results are one text (ai-surface M-37).
  expect([name, isError ?? false, first?.text]).toEqual([name, false, expect.any(String)]);
  return JSON.parse(first?.text ?? '');
}

/** Sends an operation that is held, as the owner over REST. */
async function sendAsOwner(name: string, body: object): Promise<void> {
  expect([...tools]).not.toContain(name);
  const { status, body: answered } = await owner.post(`/extensions/ledger/${graphId}/operations/${name}`, body);
  expect([name, status, answered.detail]).toEqual([name, 200, undefined]);
}

/** The ids of the accounts by their code, from the tree of accounts. */
function idsByCode(node: unknown, ids = new Map<string, string>()): ReadonlyMap<string, string> {
  if (Array.isArray(node)) for (const each of node) idsByCode(each, ids);
  else if (typeof node === 'object' && node !== null) {
    const { id, code } = node as { readonly id?: unknown; readonly code?: unknown };
    if (typeof id === 'string' && typeof code === 'string') ids.set(code, id);
    for (const each of Object.values(node)) idsByCode(each, ids);
  }
  return ids;
}

type Line = readonly [code: string, debitCents: number, creditCents: number];

function eventOf(ids: ReadonlyMap<string, string>, day: string, memo: string, ...lines: readonly Line[]) {
  return {
    event_type: 'journal_entry_recorded',
    event_category: 'adjustment',
    occurred_at: `${day}T12:00:00Z`,
    source: 'manual',
    apply_handlers: true,
    metadata: {
      posting_date: day,
      memo,
      line_items: lines.map(([code, debit, credit]) => ({
        element_id: ids.get(code),
        debit_amount: debit,
        credit_amount: credit,
      })),
    },
  };
}

describe('a month-end close by an AI client', () => {
  it('goes from empty books to a filed report, by the instructions (ai-surface 5, M-50, M-60)', async () => {
    // The clock stands still, so the job that promotes obligations runs once, before there are any.
    const sweeps = () =>
      service.store.transaction('kernel', (tx) =>
        tx.query(sql`SELECT job FROM kernel_schedule WHERE job LIKE '%sweep-obligations'`),
      );
    await expect.poll(sweeps).toHaveLength(1);
    expect(client.getInstructions()).toContain('To close a month, begin with get-close-playbook');
    expect(await call('get-close-playbook')).toMatchObject({ advice: expect.stringContaining('Ask a person') });
    await sendAsOwner('initialize', { earliest_data_period: '2025-01', closed_through: '2024-12' });
    await call('initialize-chart-of-accounts', { template: 'services', entity_type: 'llc' });
    const ids = idsByCode(await call('get-account-tree'));

    for (const event of [
      eventOf(ids, '2025-01-02', 'Capital paid in', ['1000', 4_000_000, 0], ['3000', 0, 4_000_000]),
      eventOf(ids, '2025-01-03', 'Insurance for 2025', ['1300', 360_000, 0], ['1000', 0, 360_000]),
      eventOf(ids, '2025-01-10', 'Invoice 1', ['1100', 1_250_000, 0], ['4000', 0, 1_250_000]),
    ]) {
      expect(await call('preview-event-block', event)).toMatchObject({ would_succeed: true });
      await call('create-event-block', event);
    }
    await call('create-information-block', {
      block_type: 'schedule',
      payload: {
        name: 'Insurance 2025',
        element_ids: [ids.get('6300'), ids.get('1300')],
        period_start: '2025-01-01',
        period_end: '2025-12-31',
        monthly_amount: 30_000,
        schedule_metadata: { method: 'straight_line', original_amount: 360_000 },
        entry_template: { debit_element_id: ids.get('6300'), credit_element_id: ids.get('1300') },
      },
    });

    const before = await call('get-close-playbook');
    expect(before).toMatchObject({ period: '2025-01', closeable_now: false, blockers: ['pending_obligations'] });
    const [due] = before.steps.filter(({ blockers }: { blockers: string[] }) => blockers.length > 0);
    expect(due.tool).toBe('promote-obligations');
    await call(due.tool);
    expect(await call('get-close-playbook')).toMatchObject({ closeable_now: true, blockers: [] });
    expect(await call('list-period-drafts', { period: '2025-01' })).toMatchObject({
      draft_count: 4,
      all_balanced: true,
    });
    await call('close-period', { period: '2025-01' });
    const month = { start_date: '2025-01-01', end_date: '2025-01-31' };
    const { rows, total_debits, total_credits } = await call('get-trial-balance', month);
    expect([total_debits, total_credits]).toEqual([56_400, 56_400]);
    const balances = rows.map((row: { account_code: string; net_balance: number }) => [
      row.account_code,
      row.net_balance,
    ]);
    expect(Object.fromEntries(balances)).toEqual({
      1000: 36_400,
      1100: 12_500,
      1300: 3_300,
      3000: -40_000,
      4000: -12_500,
      6300: 300,
    });

    const { structures } = await call('list-mapping-structures');
    const report = await call('create-report', {
      name: 'January',
      mapping_id: structures[0].id,
      period_start: '2025-01-01',
      period_end: '2025-01-31',
      period_type: 'monthly',
      comparative: false,
    });
    await sendAsOwner('file-report', { report_id: report.id });
    expect(await call('list-reports')).toMatchObject({ reports: [{ name: 'January', filing_status: 'filed' }] });
    expect(new Set(called).size).toBe(13);
  });
});
