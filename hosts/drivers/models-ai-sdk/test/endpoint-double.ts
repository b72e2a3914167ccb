import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** A request as the endpoint received it. */
export interface ReceivedRequest {
  readonly authorization: string | undefined;
  readonly traceparent: string | undefined;
  readonly body: {
    readonly model: string;
    readonly max_tokens?: number;
    readonly messages: readonly ChatMessage[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
}

/** A response that replaces the recorded one. */
export interface PlannedResponse {
  readonly status?: number;
  readonly finishReason?: string;
  /** The address of a redirect. */
  readonly location?: string;
  /** The reported tokens; none if it is null. */
  readonly usage?: object | null;
  /** Never responds. */
  readonly isSilent?: true;
}

/**
 * An endpoint on the loopback address that replays one recorded conversation: a request for the first tool, then a text
 * with its result. Tests can plan other responses, each of which is sent once and before the recorded ones.
 */
export async function startEndpointDouble() {
  const received: ReceivedRequest[] = [];
  const planned: PlannedResponse[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const body: ReceivedRequest['body'] = JSON.parse(text);
      const traceparent = request.headers['traceparent']?.toString();
      received.push({ authorization: request.headers.authorization, traceparent, body });
      const plan = planned.shift() ?? {};
      if (plan.isSilent === true) return;
      const { status = 200 } = plan;
      const { location } = plan;
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(location === undefined ? {} : { location }),
      });
      response.end(responseText(body, plan));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    planned,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The text of a response, of which a test may limit the bytes. */
export function responseText(body: ReceivedRequest['body'], plan: PlannedResponse = {}): string {
  const { status = 200 } = plan;
  return JSON.stringify(status === 200 ? completion(body, plan) : { error: { message: 'secret of the vendor' } });
}

const recordedUsage = {
  prompt_tokens: 120,
  completion_tokens: 18,
  total_tokens: 138,
  prompt_tokens_details: { cached_tokens: 100 },
};

function completion(
  { model, messages, tools = [] }: ReceivedRequest['body'],
  { finishReason, usage = recordedUsage }: PlannedResponse,
) {
  const result = messages.findLast(({ role }) => role === 'tool');
  const [first] = tools;
  const message =
    result === undefined && first !== undefined
      ? {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_recorded_1',
              type: 'function',
              function: { name: first.function.name, arguments: '{"query":"MATCH (n) RETURN count(n) AS nodes"}' },
            },
          ],
        }
      : { role: 'assistant', content: `The result is ${JSON.stringify(result?.content ?? 'unknown')}.` };
  return {
    id: 'chatcmpl-recorded',
    object: 'chat.completion',
    created: 1_780_000_000,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason ?? ('tool_calls' in message ? 'tool_calls' : 'stop') }],
    ...(usage === null ? {} : { usage }),
  };
}
