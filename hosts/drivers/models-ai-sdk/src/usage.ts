import type { ModelAnswer, ModelRequest } from '@pacioli/core/ports';
import type { LanguageModelUsage } from 'ai';

const charactersPerToken = 3;

/**
 * The tokens of a call as the endpoint reports them. Those that it does not report, or reports as none although there
 * are some, are estimated, so that the call does not cost nothing (ai-surface OP-40).
 */
export function usageOf(
  { system, messages, tools }: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
  content: ModelAnswer['content'],
  reported: Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens' | 'inputTokenDetails'>,
): Pick<ModelAnswer, 'usage' | 'isUsageEstimated'> {
  const { cacheReadTokens, cacheWriteTokens } = reported.inputTokenDetails;
  const input = reportedCount(reported.inputTokens);
  const output = reportedCount(reported.outputTokens);
  const allInput = input ?? estimate([system, messages, tools]);
  const cacheRead = Math.min(allInput, reportedCount(cacheReadTokens) ?? 0);
  const cacheWrite = Math.min(allInput - cacheRead, reportedCount(cacheWriteTokens) ?? 0);
  return {
    usage: {
      input: allInput - cacheRead - cacheWrite,
      output: output ?? estimate(content),
      cacheRead,
      cacheWrite,
    },
    ...(input === undefined || output === undefined ? { isUsageEstimated: true } : {}),
  };
}

/** A count above zero; undefined for what is no count of tokens that there are. */
function reportedCount(count: number | undefined): number | undefined {
  return Number.isSafeInteger(count) && count !== undefined && count > 0 ? count : undefined;
}

function estimate(sent: unknown): number {
  return Math.ceil(JSON.stringify(sent).length / charactersPerToken);
}
