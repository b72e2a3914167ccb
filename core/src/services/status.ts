import { type CollectionEntry, createCollection, createToken } from '../container/token.ts';

/** A health check of a part of the deployment (platform H-3). */
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

/** The health of the deployment; results are cached for a few seconds, and a check takes at most one (platform H-1). */
export interface StatusService {
  report(): Promise<StatusReport>;
}

export const statusService = createToken<StatusService>('kernel.status');
