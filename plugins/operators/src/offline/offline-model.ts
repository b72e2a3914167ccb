import { type LanguageModel, LanguageModelError } from '@pacioli/core/ports';
import { offlineId } from './offline-usage.ts';
import { plannedAnswer } from './planner.ts';

const profiles = ['economy', 'balanced', 'quality'] as const;

/** The standard class of the price list (platform C-6). */
const standardPrice = { inputCents: 300, outputCents: 1_500, cachedInputCents: 30, cacheWriteCents: 375 };

/**
 * A provider that needs no network, for tests and for hosts that have none: a planner chooses a tool by the words of
 * the question and quotes its result. The same request gets the same answer, byte for byte (ai-surface OP-71).
 */
export function offlineLanguageModel(): LanguageModel {
  return {
    id: offlineId,
    models: () => profiles.map((profile) => ({ name: offlineId, profile, price: standardPrice })),
    createMessage: async (request) => {
      request.signal.throwIfAborted();
      if (request.model !== offlineId)
        throw new LanguageModelError(`The offline provider has no model ${request.model}.`, { isTransient: false });
      return plannedAnswer(request);
    },
  };
}
