import type { ModelBlock, ModelRequest, ModelUsage } from '@pacioli/core/ports';
import { estimatedTokens, tokensOf } from '../metered/index.ts';

export const offlineId = 'offline';

/** A token for every four characters, so that the same run costs the same everywhere (ai-surface OP-71). */
export function offlineUsage(request: ModelRequest, content: readonly ModelBlock[]): ModelUsage {
  return { input: estimatedTokens(request), output: tokensOf(JSON.stringify(content)), cacheRead: 0, cacheWrite: 0 };
}
