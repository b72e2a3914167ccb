import { type CollectionEntry, createCollection, createToken } from './token.ts';

/** A part of the deployment that can say whether it works (platform H-3). */
export interface HealthCheck extends CollectionEntry {
  readonly essential: boolean;
  run(signal: AbortSignal): Promise<boolean>;
}

export const healthChecks = createCollection<HealthCheck>('kernel.health-checks');

export interface StatusReport {
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  readonly timestamp: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** How the deployment is; checks are kept for a few seconds and never take longer than one (platform H-1). */
export interface StatusService {
  report(): Promise<StatusReport>;
}

export const statusService = createToken<StatusService>('kernel.status');
