import { createHash } from 'node:crypto';
import { createRequestStateCodec, inputRequired, type ServerContext } from '@modelcontextprotocol/server';
import type { ListedTool } from '@pacioli/core';

/** A person has this long to confirm, in seconds (ai-surface M-20d). */
export const confirmationSeconds = 15 * 60;

/** The key of the question in a response that requires input. */
const question = 'confirmation';

/** The state that a client echoes: what exactly was asked. */
export interface AskedCall {
  readonly tool: string;
  readonly digest: string;
}

export type Confirmation = 'confirmed' | 'declined' | 'ask';

/** Asks a person before a destructive tool runs, through clients that can (ai-surface M-20d). */
export class Confirmations {
  readonly #codec;

  constructor(key: Uint8Array) {
    this.#codec = createRequestStateCodec<AskedCall>({ key, ttlSeconds: confirmationSeconds, bind: boundTo });
  }

  /** Checks the signature, the age and the person of an echoed state. */
  readonly verify = (state: string, ctx: ServerContext): Promise<AskedCall> => this.#codec.verify(state, ctx);

  /** What the client said about this call: nothing yet, yes or no. */
  answered(tool: string, given: unknown, ctx: ServerContext): Confirmation {
    const state = ctx.mcpReq.requestState<AskedCall>();
    const response = ctx.mcpReq.inputResponses?.[question];
    if (state === undefined || response === undefined) return 'ask';
    if (state.tool !== tool || state.digest !== digestOf(given)) return 'declined';
    const { action, content } = response as { action?: unknown; content?: { confirm?: unknown } };
    return action === 'accept' && content?.confirm === true ? 'confirmed' : 'declined';
  }

  /** The result that asks, with the planned effect in plain words. */
  async ask({ name, title, confirmation }: ListedTool, given: unknown, ctx: ServerContext) {
    const state = await this.#codec.mint({ tool: name, digest: digestOf(given) }, ctx);
    const shown = JSON.stringify(given ?? {}, undefined, 2).slice(0, 2_000);
    return inputRequired({
      requestState: state,
      inputRequests: {
        [question]: inputRequired.elicit({
          message: `${title}: ${confirmation ?? 'This cannot be undone.'}\n${shown}`,
          requestedSchema: {
            type: 'object',
            properties: { confirm: { type: 'boolean', title: 'Go ahead', default: false } },
            required: ['confirm'],
          },
        }),
      },
    });
  }
}

/** The person and the graph of a request, which a state is bound to. */
function boundTo(ctx: ServerContext): string {
  const { userId, graphId } = ctx.http?.authInfo?.extra ?? {};
  return `${String(userId)} ${String(graphId)}`;
}

function digestOf(given: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(given ?? {}))
    .digest('base64url');
}
