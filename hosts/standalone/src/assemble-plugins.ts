import { join } from 'node:path';
import { paymentPort } from '@pacioli/billing';
import { explorerPage } from '@pacioli/console';
import { type Log, type Provider, provide } from '@pacioli/core';
import { assemble, type Mail, type Service } from '@pacioli/core/assembly';
import type { FileStore, GraphStore, SearchIndex, StagingStore, Store } from '@pacioli/core/ports';
import type { DeploymentConfig } from './config.ts';
import { hostCommands } from './host-commands.ts';
import { fileMail } from './mail-file.ts';
import { optionalDriver } from './optional-driver.ts';
import type { Settings } from './settings.ts';
import { StartUpError } from './start-up-error.ts';

export interface Drivers {
  readonly store: Store;
  readonly graphStore: GraphStore;
  readonly fileStore: FileStore;
  readonly stagingStore: StagingStore;
  /** Undefined if nothing can be searched. */
  readonly searchIndex: SearchIndex | undefined;
}

/** Assembles the plugins of this host over open drivers. Loading this file is slow, so the store opens first. */
export async function assemblePlugins(
  settings: Settings,
  config: DeploymentConfig,
  { store, graphStore, fileStore, stagingStore, searchIndex }: Drivers,
  given: { readonly log: Log; readonly jwtSecret: string; readonly untouched: boolean },
): Promise<Service> {
  return assemble({
    plugins: config.plugins,
    ...(config.aliases === undefined ? {} : { aliases: config.aliases }),
    hostCommands,
    store,
    graphStore,
    fileStore,
    stagingStore,
    ...(searchIndex === undefined ? {} : { searchIndex }),
    log: given.log,
    autoMigrate: settings.switches.isAutoMigrateOn && !given.untouched,
    autoStart: !given.untouched,
    // A deployment with the demo counts as a trial deployment (platform E-21).
    ...(settings.isDemoOn ? { explorer: explorerPage() } : {}),
    auth: {
      jwtSecret: given.jwtSecret,
      issuer: 'pacioli',
      audience: 'pacioli',
    },
    settings: settings.kernel,
    mail: await (config.drivers?.mail?.() ?? mailOf(settings)),
    override: [...(config.override ?? []), ...(given.untouched ? [] : await paymentsOf(settings))],
  });
}

/** Mail over SMTP by URL, or else into a file for the operator. An unused driver is not loaded. */
async function mailOf(settings: Settings): Promise<Mail> {
  const { mailUrl, mailFrom } = settings.switches;
  if (mailUrl === undefined) return fileMail(join(settings.dataDir, 'mail.log'));
  const { smtpMail } = await import('@pacioli/mail-smtp');
  return smtpMail({ url: mailUrl, from: mailFrom });
}

/** The payment provider: the plugin's local one, or the one that the environment names (platform B-30, B-32). */
async function paymentsOf(settings: Settings): Promise<readonly Provider[]> {
  const { paymentProvider, stripe } = settings.switches;
  if (paymentProvider === 'local') return [];
  if (stripe === undefined) {
    const names = 'PACIOLI_STRIPE_SECRET_KEY and PACIOLI_STRIPE_WEBHOOK_SECRET';
    throw new StartUpError(`Payments through Stripe need ${names}.`);
  }
  const load = () => import('@pacioli/payments-stripe');
  const { stripePayments } = await optionalDriver('@pacioli/payments-stripe', 'Payments through Stripe', load);
  return [provide(paymentPort, { create: () => stripePayments(stripe) })];
}
