import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import billing, { paymentPort } from '@pacioli/billing';
import blocks from '@pacioli/blocks';
import connections from '@pacioli/connections';
import { explorerPage } from '@pacioli/console';
import { type Log, type Provider, provide } from '@pacioli/core';
import { assemble, type Mail, type Service } from '@pacioli/core/assembly';
import { type Store, StoreError } from '@pacioli/core/ports';
import graph from '@pacioli/graph';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import ledger from '@pacioli/ledger';
import reporting from '@pacioli/reporting';
import { embeddedStore, postgresStore } from '@pacioli/store-postgres';
import taxonomy from '@pacioli/taxonomy';
import { fileMail } from './mail-file.ts';
import { jwtSecretOf, prepareDataDir, type Settings } from './settings.ts';
import { StartUpError } from './start-up-error.ts';

/** The plugins of this host. */
export const plugins = [graph, taxonomy, blocks, ledger, connections, reporting, billing] as const;

/** Further names of domains, so that published clients find them. */
export const aliases = { ledger: ['roboledger'], investor: ['roboinvestor'] } as const;

/** A running set with the drivers that the environment names. */
export interface Deployment {
  readonly service: Service;
  readonly store: Store;
  close(): Promise<void>;
}

/**
 * Opens the drivers and assembles the plugins; `untouched` leaves the database alone, and refuses one that is not there
 * or has other tables. Such a deployment serves nobody, so it asks for no secret and no payment provider.
 */
export async function openDeployment(
  settings: Settings,
  log: Log,
  { untouched = false }: { readonly untouched?: boolean } = {},
): Promise<Deployment> {
  if (untouched) requireStore(settings);
  prepareDataDir(settings.dataDir);
  const jwtSecret = untouched ? randomBytes(48).toString('base64url') : jwtSecretOf(settings);
  const store = await openStore(settings);
  const graphStore = ladybugGraphStore({
    folder: join(settings.dataDir, 'graphs'),
    memory_bytes_max: settings.switches.workerMemoryMegabytes * 1024 * 1024,
  });
  const closeDrivers = async (): Promise<void> => {
    // The store closes last and always: its lock must not outlive the process's wish to end.
    await graphStore.close().finally(() => store.close());
  };
  try {
    const service = await assemble({
      plugins,
      aliases,
      store,
      graphStore,
      log,
      autoMigrate: settings.switches.isAutoMigrateOn && !untouched,
      autoStart: !untouched,
      // A deployment with the demo is one to try things in (platform E-21).
      ...(settings.isDemoOn ? { explorer: explorerPage() } : {}),
      auth: {
        jwtSecret,
        issuer: 'pacioli',
        audience: 'pacioli',
      },
      settings: settings.kernel,
      mail: await mailOf(settings),
      override: untouched ? [] : await paymentsOf(settings),
    });
    return {
      service,
      store,
      close: async () => {
        await service.close().finally(closeDrivers);
      },
    };
  } catch (error) {
    await closeDrivers();
    throw startUpErrorOf(error);
  }
}

/** Refuses to look at a store that is not there: making one would look like the loss of the one that is meant. */
export function requireStore({ dataDir, databaseUrl }: Settings): void {
  const folder = join(dataDir, 'store');
  if (databaseUrl !== undefined || existsSync(folder)) return;
  throw new StartUpError(`There is no store at ${folder}. Set DATA_DIR to the folder that the service runs with.`);
}

/** Mail over SMTP by URL, else into a file that the operator reads. A driver that is not named is not loaded. */
async function mailOf(settings: Settings): Promise<Mail> {
  const { mailUrl, mailFrom } = settings.switches;
  if (mailUrl === undefined) return fileMail(join(settings.dataDir, 'mail.log'));
  const { smtpMail } = await import('@pacioli/mail-smtp');
  return smtpMail({ url: mailUrl, from: mailFrom });
}

/** The transactional store: a server by URL, else the embedded one in the data folder. */
export async function openStore(settings: Settings): Promise<Store> {
  try {
    return settings.databaseUrl === undefined
      ? await embeddedStore({ folder: join(settings.dataDir, 'store') })
      : await postgresStore({ url: settings.databaseUrl });
  } catch (error) {
    throw startUpErrorOf(error);
  }
}

/** The payment provider: the plugin's own, or the company that the environment names (platform B-30, B-32). */
async function paymentsOf(settings: Settings): Promise<readonly Provider[]> {
  const name = settings.kernel.billing?.provider ?? 'local';
  if (name === 'local') return [];
  const { stripe } = settings.switches;
  if (name !== 'stripe') throw new StartUpError(`PACIOLI_BILLING_PROVIDER must be local or stripe, not "${name}".`);
  if (stripe === undefined) {
    const names = 'PACIOLI_STRIPE_SECRET_KEY and PACIOLI_STRIPE_WEBHOOK_SECRET';
    throw new StartUpError(`Payments through Stripe need ${names}.`);
  }
  const { stripePayments } = await import('@pacioli/payments-stripe');
  return [provide(paymentPort, { create: () => stripePayments(stripe) })];
}

/** Problems that a person can mend become one line. */
function startUpErrorOf(error: unknown): unknown {
  if (error instanceof StoreError) return new StartUpError(error.message, error.code === 'locked' ? 2 : 1);
  return error;
}
