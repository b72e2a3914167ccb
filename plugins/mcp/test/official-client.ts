import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Connects the official client to an endpoint, in the default revision of that client or in a given one. */
export async function connectClient(
  url: string,
  headers: Readonly<Record<string, string>>,
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}
