import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatReport } from './format-report.ts';
import { field, listField, textField } from './json-fields.ts';
import type { ApiAnswer, LedgerApi } from './ledger-api.ts';
import { writeLimits } from './limits.ts';
import { type ImportReport, runImport } from './run-import.ts';
import { eventOf } from './write-entries.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pacioli-import-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lots = join(import.meta.dirname, 'fixtures', 'lots-and-prices.beancount');

function ok(body: unknown, status = 200): ApiAnswer {
  return { status, body, retryAfterSeconds: null };
}

function refuse(status: number, detail: string, retryAfterSeconds: number | null = null): ApiAnswer {
  return { status, body: { detail }, retryAfterSeconds };
}

/** A double of the remote service that stores writes and rejects what the contract rejects. */
class RemoteLedger implements LedgerApi {
  readonly graphs: { graphId: string; graphName: string }[] = [];
  readonly accounts: { id: string; code: string; name: string }[] = [];
  readonly charts: { id: string; name: string; isLocked: boolean }[] = [];
  readonly events = new Map<string, unknown>();
  readonly waits: number[] = [];
  readonly mappings: { id: string }[] = [];
  readonly url = 'http://unused.invalid';
  inFlight = 0;
  inFlightMax = 0;
  /** Responses to the next event requests, in order. */
  readonly nextEventAnswers: (ApiAnswer | Error)[] = [];

  async get(path: string): Promise<ApiAnswer> {
    if (path === '/v1/graphs') return ok({ graphs: this.graphs });
    if (path === '/v1/operations/op_1/status') {
      const isDone = this.waits.length > 0;
      return ok(isDone ? { status: 'completed', result: { graph_id: 'kg1' } } : { status: 'running' });
    }
    return refuse(404, 'unknown path');
  }

  async post(path: string, body: unknown, idempotencyKey?: string): Promise<ApiAnswer> {
    this.inFlight += 1;
    this.inFlightMax = Math.max(this.inFlightMax, this.inFlight);
    await Promise.resolve();
    this.inFlight -= 1;
    if (path === '/v1/graphs') {
      const graphName = textField(field(body, 'metadata'), 'graph_name') ?? '';
      this.graphs.push({ graphId: 'kg1', graphName });
      return ok({ operation: 'create-graph', operationId: 'op_1', status: 'pending' }, 202);
    }
    if (path === '/extensions/kg1/graphql') return ok({ data: this.#read(body) });
    const operation = path.replace('/extensions/roboledger/kg1/operations/', '');
    if (operation === 'create-event-block') return this.#createEvent(body, idempotencyKey);
    if (operation.endsWith('-taxonomy-block')) return this.#writeChart(operation, body);
    return refuse(404, 'unknown path');
  }

  async wait(milliseconds: number): Promise<void> {
    this.waits.push(milliseconds);
  }

  #read(body: unknown): unknown {
    if ((textField(body, 'query') ?? '').includes('mappings')) return { mappings: { structures: this.mappings } };
    if ((textField(body, 'query') ?? '').includes('taxonomies')) return { taxonomies: { taxonomies: this.charts } };
    const offset = Number(field(field(body, 'variables'), 'offset'));
    // A service may return smaller pages than requested.
    const accounts = this.accounts.slice(offset, offset + 10);
    return { accounts: { accounts, pagination: { hasMore: offset + accounts.length < this.accounts.length } } };
  }

  #writeChart(operation: string, body: unknown): ApiAnswer {
    const isNew = operation === 'create-taxonomy-block';
    if (isNew) this.charts.push({ id: 'tax1', name: textField(body, 'name') ?? '', isLocked: false });
    else if (textField(body, 'taxonomy_id') !== 'tax1') return refuse(404, 'no such taxonomy');
    if (listField(body, 'structures_to_add').length > 0) this.mappings.push({ id: 'map1' });
    for (const element of listField(body, isNew ? 'elements' : 'elements_to_add')) {
      const [qname, code, name] = ['qname', 'code', 'name'].map((key) => textField(element, key) ?? '');
      if (!/^coa:[A-Z][\w.-]+$/.test(qname ?? '') || textField(element, 'trait') === null)
        return refuse(422, 'bad element');
      if (this.accounts.some((account) => account.code === code)) return refuse(422, 'duplicate_code');
      this.accounts.push({ id: `el${this.accounts.length}`, code: code ?? '', name: name ?? '' });
    }
    return ok({ result: { id: 'tax1' } });
  }

  #createEvent(body: unknown, key: string | undefined): ApiAnswer {
    const planned = this.nextEventAnswers.shift();
    if (planned instanceof Error) throw planned;
    if (planned !== undefined) return planned;
    const id = textField(body, 'external_id') ?? '';
    if (key === undefined || id === '') return refuse(422, 'no key');
    if (this.events.has(id)) return refuse(409, 'Event already ingested for this source and external_id');
    const lines = listField(field(body, 'metadata'), 'line_items');
    const sum = (side: string): number => lines.reduce<number>((total, line) => total + Number(field(line, side)), 0);
    const known = new Set(this.accounts.map((account) => account.id));
    if (lines.length < 2 || sum('debit_amount') !== sum('credit_amount')) return refuse(422, 'does not balance');
    if (!lines.every((line) => known.has(textField(line, 'element_id') ?? '')))
      return refuse(422, 'Element(s) not found');
    this.events.set(id, body);
    return ok({ status: 'completed', result: { id } });
  }
}

function importInto(api: LedgerApi, more: { file?: string; graphId?: string } = {}): Promise<ImportReport> {
  return runImport({ file: lots, url: 'http://unused.invalid', apiKey: 'key', graphName: 'Workshop', api, ...more });
}

function smallBook(name: string, transactions: number): string {
  const file = join(folder, name);
  const lines = Array.from(
    { length: transactions },
    (_, index) => `2020-01-01 * "n${index}"\n  Assets:A  1 USD\n  Income:B\n`,
  );
  writeFileSync(file, lines.join(''));
  return file;
}

describe('run-import', () => {
  it('stops before it writes anything when an account of the journal matches two accounts of the graph', async () => {
    const ledger = new RemoteLedger();
    ledger.accounts.push({ id: 'el_a', code: 'Assets:A', name: 'A' }, { id: 'el_b', code: 'Assets:A', name: 'A too' });
    await expect(importInto(ledger, { file: smallBook('duplicates.beancount', 1) })).rejects.toThrow(
      'Account Assets:A matches two accounts of the graph: el_a and el_b.',
    );
    expect([ledger.events.size, ledger.accounts.length, ledger.charts.length]).toEqual([0, 2, 0]);
  });

  it('creates the graph, the chart and posted events, and reports imported and skipped transactions', async () => {
    const ledger = new RemoteLedger();
    const report = await importInto(ledger);
    expect(report).toMatchObject({
      graph_id: 'kg1',
      transactions: ledger.events.size,
      currency: 'USD',
      accounts_created: ledger.accounts.length,
      mapping_id: 'map1',
      skipped: { other_unit: 4, zero_amount: 1 },
      rounding_lines: 1,
      balance_failures: [],
      not_taken: [],
    });
    expect(report.transactions).toBe(21);
    expect(ledger.accounts.map((account) => account.code)).toContain('Assets:Shares:First');
    expect(formatReport(report)).toContain('Wrote 21 transactions');
    expect(formatReport(report)).toContain('other_unit');
  });

  it('adds nothing when it runs twice (ledger L-83)', async () => {
    const ledger = new RemoteLedger();
    await importInto(ledger);
    const before = [...ledger.events.keys()];
    const report = await importInto(ledger);
    expect(report).toMatchObject({
      transactions: 0,
      postings: 0,
      accounts_created: 0,
      skipped: { already_present: 21 },
    });
    expect([...ledger.events.keys()]).toEqual(before);
    expect(ledger.graphs).toHaveLength(1);
  });

  it('adds the accounts of a longer journal to the chart', async () => {
    const ledger = new RemoteLedger();
    await importInto(ledger);
    const report = await importInto(ledger, { file: smallBook('more.beancount', 1) });
    expect(report).toMatchObject({ transactions: 1, accounts_created: 2 });
    expect(ledger.charts).toHaveLength(1);
  });

  it('writes to a graph given by id without listing graphs', async () => {
    const ledger = new RemoteLedger();
    const report = await importInto(ledger, { graphId: 'kg1' });
    expect(report.graph_id).toBe('kg1');
    expect(ledger.graphs).toHaveLength(0);
  });

  it('rejects a name that two graphs have', async () => {
    const ledger = new RemoteLedger();
    for (const graphId of ['kg1', 'kg2']) ledger.graphs.push({ graphId, graphName: 'Workshop' });
    await expect(importInto(ledger)).rejects.toThrow('choose one with --graph: kg1, kg2');
  });

  it('limits the requests in flight, and reports progress by batches', async () => {
    const ledger = new RemoteLedger();
    const seen: number[] = [];
    const size = writeLimits.maxTransactionsPerBatch;
    const file = smallBook('many.beancount', size * 2 + 1);
    const onProgress = ({ done }: { done: number }): number => seen.push(done);
    await runImport({ file, url: '', apiKey: '', graphName: 'W', graphId: 'kg1', api: ledger, onProgress });
    expect(ledger.inFlightMax).toBe(writeLimits.maxRequestsInFlight);
    expect(seen).toEqual([size, size * 2, size * 2 + 1]);
  });

  it('waits as long as the service requests, and resends a lost request', async () => {
    const ledger = new RemoteLedger();
    ledger.nextEventAnswers.push(refuse(429, 'slow down', 7), refuse(503, 'busy', 2), new TypeError('fetch failed'));
    const report = await importInto(ledger, { file: smallBook('slow.beancount', 3), graphId: 'kg1' });
    expect(report.transactions).toBe(3);
    expect(ledger.waits).toEqual([7000, 2000, 1000]);
  });

  it('gives up after the last attempt', async () => {
    const ledger = new RemoteLedger();
    for (let count = 0; count < writeLimits.maxAttempts; count += 1)
      ledger.nextEventAnswers.push(refuse(503, 'busy', 1));
    const importing = importInto(ledger, { file: smallBook('dead.beancount', 1), graphId: 'kg1' });
    await expect(importing).rejects.toThrow('refused with 503: busy');
    expect(ledger.waits).toHaveLength(writeLimits.maxAttempts - 1);
  });

  it('reports a transaction that the service rejects, with its line, and imports the others', async () => {
    const ledger = new RemoteLedger();
    ledger.nextEventAnswers.push(refuse(422, 'Period 2020-01 is closed'));
    const file = smallBook('closed.beancount', 2);
    const report = await importInto(ledger, { file, graphId: 'kg1' });
    expect(report).toMatchObject({
      transactions: 1,
      skipped: { refused: 1 },
      not_taken: [{ file, line: 1, message: 'Period 2020-01 is closed.' }],
    });
  });

  it('fails with the reason when the caller may not write', async () => {
    const ledger = new RemoteLedger();
    ledger.nextEventAnswers.push(refuse(403, 'Write access required'));
    await expect(importInto(ledger)).rejects.toThrow('Write access required. Use the API key of a user who may write');
  });

  it('writes nothing when a line of the journal is invalid', async () => {
    const ledger = new RemoteLedger();
    const file = join(folder, 'bad.beancount');
    writeFileSync(file, '2020-01-01 * "x"\n  Assets:A  1 USD\n  Income:B\nnonsense\n');
    await expect(importInto(ledger, { file })).rejects.toThrow(`${file}:4: "nonsense" begins no directive`);
    expect(ledger.graphs).toHaveLength(0);
  });
});

describe('event of an entry', () => {
  it('is posted and balanced, and includes the details of the journal (ledger L-87, L-89)', () => {
    const leg = { is_rounding: false };
    const entry = {
      ...{ date: '2020-02-03', flag: '*', payee: 'Shop', narration: 'Lunch', tags: ['food'], links: [], metadata: {} },
      ...{ file: 'f', line: 1, external_id: 'journal-x-1' },
      legs: [
        { ...leg, account: 'Expenses:Food', amountMinor: 1250n },
        { ...leg, account: 'Assets:Cash', amountMinor: -1250n },
      ],
    };
    const elementIds = new Map([
      ['Expenses:Food', 'e1'],
      ['Assets:Cash', 'e2'],
    ]);
    expect(eventOf({ currency: 'USD', elementIds }, entry)).toMatchObject({
      event_type: 'journal_entry_recorded',
      source: 'manual',
      external_id: 'journal-x-1',
      apply_handlers: true,
      metadata: {
        posting_date: '2020-02-03',
        memo: 'Shop | Lunch',
        status: 'posted',
        line_items: [
          { element_id: 'e1', debit_amount: 1250, credit_amount: 0 },
          { element_id: 'e2', debit_amount: 0, credit_amount: 1250 },
        ],
        journal: { payee: 'Shop', tags: ['food'] },
      },
    });
  });
});
