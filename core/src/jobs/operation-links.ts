import type { KernelSettings } from '../settings/kernel-settings.ts';

/** The paths of a run, relative to the host; a response contains those that its state allows (platform L-17). */
export function operationLinks(
  { prefix }: Pick<KernelSettings, 'prefix'>,
  operationId: string,
): Readonly<Record<'stream' | 'status' | 'cancel' | 'resume', string>> {
  const cancel = `${prefix}/v1/operations/${operationId}`;
  return { stream: `${cancel}/stream`, status: `${cancel}/status`, cancel, resume: `${cancel}/resume` };
}
