import { createHash } from 'node:crypto';
import {
  type CallToolResult,
  createRequestStateCodec,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Clock, type Ids, type ListedTool, maxShownValues, type Store, shownArguments, sql } from '@pacioli/core';

/** A person has this long to confirm, in seconds (ai-surface M-20d). */
export const confirmationSeconds = 15 * 60;

/** The key of the question in a response that requires input. */
const question = 'confirmation';

/** The actions with which a client answers a question. */
const actions: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** The request state, which the client returns with the answer: the call that the person was asked about. */
interface ConfirmationState {
  readonly id: string;
  readonly tool: string;
  readonly digest: string;
}

/** The state of a question: not answered yet, answered for the first time, again, or for another call. */
export type Confirmation = 'unanswered' | 'confirmed' | 'declined' | 'used' | 'invalid';

interface ConfirmationServices {
  readonly key: Uint8Array;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Asks a person before a destructive tool runs, through clients that can (ai-surface M-20d). */
export class Confirmations {
  readonly #use: ConfirmationServices;
  readonly #codec;

  constructor(use: ConfirmationServices) {
    const { key } = use;
    this.#use = use;
    this.#codec = createRequestStateCodec<ConfirmationState>({ key, ttlSeconds: confirmationSeconds, bind: boundTo });
  }

  /** Checks the signature, the age, the user and the graph of a returned request state. */
  readonly verify = (state: string, ctx: ServerContext): Promise<ConfirmationState> => this.#codec.verify(state, ctx);

  /** Reads the answer of the person to the question about this call. A question can be answered once, even if with no. */
  async readAnswer(tool: string, given: unknown, ctx: ServerContext): Promise<Confirmation> {
    const state = ctx.mcpReq.requestState<ConfirmationState>();
    const response = ctx.mcpReq.inputResponses?.[question];
    if (state === undefined || response === undefined) return 'unanswered';
    if (state.tool !== tool || state.digest !== digestOf(given)) return 'invalid';
    const { action, content } = response as { action?: unknown; content?: { confirm?: unknown } };
    if (!actions.has(action))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Invalid params: the action of ${question} must be accept, decline or cancel`,
      );
    const isConfirmed = action === 'accept' && content?.confirm === true;
    if (!(await this.#isFirstUse(state.id))) return 'used';
    return isConfirmed ? 'confirmed' : 'declined';
  }

  /** Makes the result that asks, with the planned effect in plain words; a refusal if a person could not read it all. */
  async ask({ name, title, confirmation }: ListedTool, given: unknown, ctx: ServerContext) {
    const shown = shownArguments(given);
    if (shown === undefined) return refused(tooManyArguments);
    const id = this.#use.ids.make('mcpq');
    const state = await this.#codec.mint({ id, tool: name, digest: digestOf(given) }, ctx);
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

  /** Records the answer before the call runs, so that only one of several retries executes, in any process. */
  async #isFirstUse(id: string): Promise<boolean> {
    // Twice the lifetime of a question, because the clocks of processes differ.
    const expiresAt = new Date(this.#use.clock.now().getTime() + 2 * confirmationSeconds * 1000);
    const rows = await this.#use.store.transaction('kernel', (tx) =>
      tx.query(sql`
        INSERT INTO mcp_used_confirmation (id, expires_at) VALUES (${id}, ${expiresAt})
        ON CONFLICT (id) DO NOTHING RETURNING 1 AS used`),
    );
    return rows.length > 0;
  }
}

const tooManyArguments =
  `The call has more arguments than a person can confirm: at most ${maxShownValues} values with short names. ` +
  'Nothing changed. Send fewer at a time.';

/** The refusal of a call, as a result that the model can explain to the user. */
export function refused(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The user and the graph of a request, to which a request state is bound. */
function boundTo(ctx: ServerContext): string {
  const { userId, graphId } = ctx.http?.authInfo?.extra ?? {};
  return `${String(userId)} ${String(graphId)}`;
}

function digestOf(given: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(given ?? {}))
    .digest('base64url');
}
