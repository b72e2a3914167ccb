import type { Store } from '../store/store.ts';
import type { Clock } from './kernel-tokens.ts';
import type { HealthCheck, StatusReport, StatusService } from './status.ts';

const keptMs = 5_000;
const maxCheckMs = 1_000;

interface StatusParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly checks: readonly HealthCheck[];
  readonly version: string;
  /** Undefined if the deployment hides its plugins (platform H-2). */
  readonly plugins: readonly { readonly name: string; readonly version: string }[] | undefined;
}

/** Combines the checks of the store and the plugins. */
export class StoredStatus implements StatusService {
  readonly #parts: StatusParts;
  readonly #started: number;
  #kept: { readonly at: number; readonly report: Promise<StatusReport> } | undefined;

  constructor(parts: StatusParts) {
    this.#parts = parts;
    this.#started = parts.clock.now().getTime();
  }

  async report(): Promise<StatusReport> {
    const now = this.#parts.clock.now().getTime();
    if (this.#kept === undefined || now - this.#kept.at > keptMs) this.#kept = { at: now, report: this.#look(now) };
    return this.#kept.report;
  }

  async #look(now: number): Promise<StatusReport> {
    const isStoreReachable = await within(async () => (await this.#parts.store.health()).reachable);
    const checks: [string, boolean, boolean][] = [['store', true, isStoreReachable]];
    for (const check of this.#parts.checks) {
      checks.push([check.key, check.essential, await within((signal) => check.run(signal))]);
    }
    const failed = checks.filter(([, , works]) => !works);
    const status = failed.some(([, essential]) => essential) ? 'unhealthy' : failed.length > 0 ? 'degraded' : 'healthy';
    return {
      status,
      timestamp: new Date(now).toISOString(),
      details: {
        service: 'pacioli',
        version: this.#parts.version,
        api_version: 'v1',
        uptime_seconds: Math.floor((now - this.#started) / 1000),
        ...(this.#parts.plugins === undefined
          ? {}
          : { plugins: this.#parts.plugins.map((plugin) => ({ ...plugin, status: 'enabled' })) }),
        checks: Object.fromEntries(checks.map(([name, , works]) => [name, works ? 'ok' : 'failing'])),
      },
    };
  }
}

async function within(check: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
  const signal = AbortSignal.timeout(maxCheckMs);
  const late = new Promise<boolean>((resolve) =>
    signal.addEventListener('abort', () => resolve(false), { once: true }),
  );
  return Promise.race([check(signal).catch(() => false), late]);
}
