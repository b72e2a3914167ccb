import type { Store } from '@pacioli/core';
import { TestClient, type TestService } from '@pacioli/testing';
import { digestOf, graphWith, type PluginSet, startSet, writeSampleRows } from './plugin-set.ts';

/** What the rows and an operation of the plugin are like while it is enabled, disabled and enabled again. */
export interface DisabledPlugin {
  readonly before: Readonly<Record<string, string>>;
  readonly whileDisabled: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  /** The statuses of requests to its operations and views while it is disabled. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Writes rows, disables the plugin on the same store, and enables it again (platform X-5). */
export async function testDisabledPlugin(set: PluginSet, store: Store): Promise<DisabledPlugin> {
  const started = await startSet(set, store);
  let graphId = '';
  let headers: TestClient['headers'] = {};
  let before = {};
  await closing(started, async () => {
    const owner = await started.newUser('keeper');
    graphId = await graphWith(set, owner, 'Kept');
    headers = owner.headers;
  });
  // Jobs of the plugin would change the rows, so it is enabled only without a worker from here on.
  await writeSampleRows(set, store, graphId);
  before = await digestOf(set, store, graphId);
  const disabled = await startSet(set, store, { isEnabled: false });
  let whileDisabled = {};
  const statuses: Record<string, number> = {};
  await closing(disabled, async () => {
    whileDisabled = await digestOf(set, store, graphId);
    const client = new TestClient(disabled.url, headers);
    for (const { name, domain } of [...set.plugin.operations, ...set.plugin.views]) {
      const owner = domain ?? set.plugin.domain;
      const path =
        owner === undefined ? `/v1/graphs/${graphId}/operations` : `/extensions/${owner}/${graphId}/operations`;
      statuses[name] = (await client.post(`${path}/${name}`, {})).status;
    }
  });
  const again = await startSet(set, store, { worker: false });
  let after = {};
  await closing(again, async () => {
    after = await digestOf(set, store, graphId);
  });
  return { before, whileDisabled, after, statuses };
}

async function closing(service: TestService, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await service.close();
  }
}
