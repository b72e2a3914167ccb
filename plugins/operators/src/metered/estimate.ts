import type { ModelRequest } from '@pacioli/core/ports';

const charactersPerToken = 4;

/** A coarse estimate of the tokens of a text. */
export const tokensOf = (text: string): number => Math.ceil(text.length / charactersPerToken);

/** The estimated input tokens of a request. */
export function estimatedTokens({
  system,
  messages,
  tools,
}: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number {
  return tokensOf(system) + tokensOf(JSON.stringify(messages)) + tokensOf(JSON.stringify(tools));
}
