import { contribute, definePlugin } from '@pacioli/core';
import { type ModelAnswer, type ModelPrompt, mappingModels } from '../src/index.ts';

/** The requests to the vendor and its answers; a held answer waits until it is released. */
export const vendor: {
  held: Promise<void>;
  readonly asked: (readonly string[])[];
  readonly prompts: ModelPrompt[];
  usage: ModelAnswer['usage'];
  answer: (objects: readonly object[]) => string;
} = {
  held: Promise.resolve(),
  asked: [],
  prompts: [],
  usage: { inputTokens: 1_000, outputTokens: 200 },
  answer: (objects) => JSON.stringify(objects),
};

interface Asked {
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  readonly candidates: readonly { readonly id: string; readonly qname: string }[];
}

/**
 * A model that answers cash for names that no synonym knows; it is called outside of transactions, so that a test can
 * hold it.
 */
export const oracle = definePlugin({
  name: 'oracle',
  title: 'A vendor of a model that knows cash',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['taxonomy'],
  contributions: [
    contribute(mappingModels, 'oracle', {
      create: () => ({
        model: 'anthropic_claude_4_sonnet',
        complete: async (prompt) => {
          const { accounts, candidates }: Asked = JSON.parse(prompt.user);
          vendor.prompts.push(prompt);
          vendor.asked.push(accounts.map(({ name }) => name));
          if (vendor.asked.length > 1) await vendor.held;
          const cash = candidates.find(({ qname }) => qname.endsWith(':CashAndCashEquivalentsAtCarryingValue'));
          const objects = accounts.flatMap(({ id, name }) => {
            const confidence = name.startsWith('Zyzzyva') ? 0.95 : 0.75;
            const said = { element_id: id, target_id: cash?.id ?? null, target_qname: cash?.qname ?? null, confidence };
            const foreign = { ...said, target_id: 'not offered', confidence: 0.99 };
            return name.startsWith('Silent') ? [] : [{ ...said, confidence: 0.1 }, said, foreign];
          });
          return { text: vendor.answer(objects), usage: vendor.usage };
        },
      }),
    }),
  ],
});
