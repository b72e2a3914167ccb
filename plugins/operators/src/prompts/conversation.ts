import type { ModelMessage } from '@pacioli/core/ports';
import type { HistoryMessage } from '../catalog/index.ts';

const maxHistory = 5;
const maxHistoryLength = 8_000;

/** The last five messages of a conversation, each cut to 8,000 characters (ai-surface OP-10). */
export function usedHistory(history: readonly HistoryMessage[]): readonly HistoryMessage[] {
  return history.slice(-maxHistory).map(({ role, content }) => ({ role, content: content.slice(0, maxHistoryLength) }));
}

/** The first turns of a run: the history, then the question with its background. Empty messages are left out. */
export function firstMessages(
  history: readonly HistoryMessage[],
  query: string,
  found: string | undefined,
): readonly ModelMessage[] {
  const question = found === undefined ? query : `${found}\n\nQuestion:\n${query}`;
  const turns = [...usedHistory(history), { role: 'user' as const, content: question }];
  return turns
    .filter(({ content }) => content.trim() !== '')
    .map(({ role, content }) => ({ role, content: [{ type: 'text', text: content }] }));
}
