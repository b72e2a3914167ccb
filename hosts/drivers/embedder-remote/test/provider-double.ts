import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

export type Misbehavior = (response: ServerResponse, received: Received) => void;

export const doubleKey = 'sk-double-5f1c';
export const doubleDimensions = 48;

/** Behaves like a provider with OpenAI's protocol of embeddings: a text's vector counts its characters. */
export class ProviderDouble {
  readonly received: Received[] = [];
  /** Answers the next requests, one each, in place of the double. */
  readonly next: Misbehavior[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo; // A listening TCP server has one.
    return `http://127.0.0.1:${port}/v1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const received: Received = { headers: request.headers, body: JSON.parse(text) };
    this.received.push(received);
    const misbehave = this.next.shift();
    if (misbehave !== undefined) misbehave(response, received);
    else if (request.url !== '/v1/embeddings') send(response, 404, errorBody('No such path.'));
    else if (request.headers.authorization !== `Bearer ${doubleKey}`) send(response, 401, errorBody('Wrong key.'));
    else if (received.body.input.some((each) => each === '')) send(response, 400, errorBody('Empty input.'));
    else send(response, 200, vectorsFor(received.body.input));
  }
}

export function send(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export const errorBody = (message: string): object => ({ error: { message, type: 'invalid_request_error' } });

export function vectorsFor(texts: readonly string[]): object {
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  return { object: 'list', data, model: 'double', usage: { prompt_tokens: texts.length, total_tokens: texts.length } };
}

function vectorOf(text: string): readonly number[] {
  const vector = Array<number>(doubleDimensions).fill(0);
  for (const word of text.toLowerCase().split(/\s+/)) {
    const at = [...word].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % doubleDimensions;
    vector[at] = (vector[at] ?? 0) + 3;
  }
  return vector;
}
