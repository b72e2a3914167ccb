import billing from '@pacioli/billing';
import { sql } from '@pacioli/core';
import { postgresStore } from '@pacioli/store-postgres';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Goal: the processes of one deployment together enforce an organization's limit of graphs. No worker runs. */
const maxGraphs = 3;
const requests = 24;

const undo: (() => Promise<void>)[] = [];
let services: readonly TestService[];
beforeAll(async () => {
  const server = await startPostgresServer();
  undo.push(() => server.stop());
  const started: TestService[] = [];
  for (const _ of ['one', 'another']) {
    const store = await postgresStore({ url: server.url, maxLockMs: 120_000, maxStatementMs: 120_000 });
    undo.push(() => store.close());
    const settings = { orgs: { maxGraphs } };
    const paid = billing.with({ enabled: true });
    const service = await startTestService({ plugins: [paid], store, worker: false, settings });
    undo.push(() => service.close());
    started.push(service);
  }
  services = started;
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

describe('limit of graphs', () => {
  it('accepts creations and checkouts exactly up to the limit, over two processes (platform U-9)', async () => {
    const [first] = services;
    if (first === undefined) throw new Error('No service was started.');
    const owner = await first.newUser('Ann');
    const callers = services.map(({ anonymous }) => anonymous.withHeaders(owner.headers));
    const config = (name: string) => ({
      metadata: { graph_name: name, schema_extensions: [] },
      initial_entity: { name, uri: 'https://example.org/mill' },
    });
    const call = async (index: number, isCheckout: boolean) => {
      const caller = callers[index % callers.length];
      const { status, body } = (await (isCheckout
        ? caller?.post('/v1/billing/checkout', {
            plan_name: 'ladybug-standard',
            resource_type: 'graph',
            resource_config: config(`Mill ${index}`),
          })
        : caller?.post('/v1/graphs', config(`Mill ${index}`)))) ?? { status: 0, body: undefined };
      return status < 300 ? 'accepted' : `${status} ${body?.code}`;
    };
    const outcomes = async (isCheckout: (index: number) => boolean) => {
      const all = await Promise.all(Array.from({ length: requests }, (_, index) => call(index, isCheckout(index))));
      return Object.fromEntries(
        [...new Set(all)].sort().map((one) => [one, all.filter((other) => other === one).length]),
      );
    };
    const limit = { accepted: maxGraphs, '403 GRAPH_LIMIT_REACHED': requests - maxGraphs };
    expect(await outcomes(() => true)).toEqual(limit);
    const tx = <T>(statement: ReturnType<typeof sql<T>>) =>
      first.store.transaction('kernel', (run) => run.query(statement));
    // The checkouts are abandoned and the organization pays by invoice, so only creations count against the limit.
    await tx(sql`DELETE FROM kernel_graph_reservation`);
    await tx(sql`UPDATE billing_customer SET invoice_billing_enabled = true`);
    expect(await outcomes(() => false)).toEqual(limit);
    const [held] = await tx(sql<{ runs: number }>`
      SELECT count(*) AS runs FROM kernel_operation WHERE name = 'create-graph' AND finished_at IS NULL`);
    expect(held?.runs).toBe(maxGraphs);
  });
});
