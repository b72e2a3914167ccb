/** A response of the service: the body is parsed JSON, text if it is not JSON, undefined if there is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
  readonly body: any;
}

/** One frame of an event stream. */
export interface EventFrame {
  readonly id: string | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
  readonly data: any;
}

const maxWaitMs = 300_000;
const pollMs = 25;

/** Calls a running service as one user, over HTTP. */
export class TestClient {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.url = url;
    this.headers = headers;
  }

  /** Returns the same caller with additional or changed headers. */
  withHeaders(headers: Readonly<Record<string, string>>): TestClient {
    return new TestClient(this.url, { ...this.headers, ...headers });
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...this.headers, ...headers },
      ...(text === undefined ? {} : { body: text }),
    });
    const given = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && given !== '';
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && !response.headers.get('content-type')?.includes('ndjson') ? JSON.parse(given) : given,
    };
  }

  get(path: string): Promise<Answer> {
    return this.request('GET', path);
  }

  post(path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request('POST', path, body, headers);
  }

  put(path: string, body: unknown = {}): Promise<Answer> {
    return this.request('PUT', path, body);
  }

  /** Runs a GraphQL read of one graph; the response body has `data` and `errors`. */
  graphql(graphId: string, query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.post(`/extensions/${graphId}/graphql`, { query, variables });
  }

  /** Follows an accepted operation to its end and returns its status response. */
  async follow(operationId: string): Promise<Answer> {
    const deadline = Date.now() + maxWaitMs;
    for (;;) {
      const answer = await this.get(`/v1/operations/${operationId}/status`);
      if (answer.status !== 200 || ['completed', 'failed', 'cancelled', 'awaiting_input'].includes(answer.body.status))
        return answer;
      if (Date.now() > deadline)
        throw new Error(`The operation ${operationId} did not end: ${JSON.stringify(answer.body)}`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** Creates an entity graph, waits for it and returns its id. */
  async createGraph(name: string, extensions: readonly string[]): Promise<string> {
    const accepted = await this.post('/v1/graphs', {
      metadata: { graph_name: name, schema_extensions: extensions },
      initial_entity: { name, uri: `https://example.org/${encodeURIComponent(name)}` },
    });
    if (accepted.status !== 202)
      throw new Error(`The graph was refused: ${accepted.status} ${JSON.stringify(accepted.body)}`);
    const ended = await this.follow(accepted.body.operationId);
    if (ended.body.status !== 'completed') throw new Error(`The graph was not created: ${JSON.stringify(ended.body)}`);
    return ended.body.result.graph_id;
  }

  /** Reads an event stream to its end, or until the consumer stops. */
  async *stream(path: string, signal?: AbortSignal): AsyncGenerator<EventFrame> {
    const response = await fetch(`${this.url}${path}`, {
      headers: this.headers,
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.status !== 200 || response.body === null)
      throw new Error(`The stream was refused: ${response.status} ${await response.text()}`);
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const frame = parseFrame(text.slice(0, end));
        text = text.slice(end + 2);
        if (frame !== undefined) yield frame;
      }
    }
  }
}

function parseFrame(text: string): EventFrame | undefined {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const event = fields.get('event');
  if (event === undefined) return undefined;
  return { id: fields.get('id'), event, data: JSON.parse(fields.get('data') ?? 'null') };
}
