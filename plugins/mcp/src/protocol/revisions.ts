/** The stateless revision (ai-surface 4.2a). */
export const stateless = '2026-07-28';

/** The revisions with a handshake, the current one first (ai-surface M-5). */
export const withHandshake: readonly string[] = ['2025-11-25', '2025-06-18'];

export const supported: readonly string[] = [stateless, ...withHandshake];

/** The methods of the revisions with a handshake (ai-surface M-8). */
export const methods: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
]);
