import type { Contribution, Provider } from '../container/provider.ts';
import type { EventType } from '../define/event.ts';
import type { Job } from '../define/job.ts';
import type { Route } from '../define/route.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';

/**
 * The part of a deployment that identifies callers: the providers of `authenticator` and `verifiedUsers`, with the
 * routes, jobs and events that they need. The kernel ships one with accounts; a host may supply another with
 * `ownIdentity`.
 */
export interface Identity {
  readonly providers: readonly Provider[];
  readonly contributions: readonly Contribution[];
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly events: readonly EventType[];
  /** Throws a readable message for settings that it cannot work with, so that a host fails at startup. */
  check?(settings: KernelSettings): void;
}
