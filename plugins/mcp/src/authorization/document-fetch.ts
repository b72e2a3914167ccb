/** The only request of the service to an address that a caller chose (PX-9), so every limit of O-11 is enforced here. */
import { lookup } from 'node:dns/promises';
import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { unknownClient } from './oauth-error.ts';
import { isPublicAddress } from './public-addresses.ts';
import { parseUrl } from './redirects.ts';

const maxIdCharacters = 512;
const maxDocumentBytes = 64 * 1024;
const maxFetchMs = 5_000;
const maxFetches = 10;
const defaultSeconds = 3_600;
const minSeconds = 60;
const maxSeconds = 24 * 3_600;

/** Resolves names and opens connections; replaced in tests, which have no network. */
export interface Network {
  /** All addresses of a host. */
  resolve(host: string): Promise<readonly string[]>;
  /** Opens a TLS connection to an address, and requires a valid certificate of the host. */
  connect(to: { readonly address: string; readonly host: string; readonly port: number }): TLSSocket;
}

export const publicInternet: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  connect: ({ address, host, port }) => connect({ host: address, port, servername: host, ALPNProtocols: ['http/1.1'] }),
};

/** A client metadata document, and how long it may be used. */
export interface FetchedDocument {
  readonly value: unknown;
  readonly maxAgeSeconds: number;
}

/** True if a client id is the address of a client metadata document (O-11). */
export function isDocumentId(clientId: string): boolean {
  if (clientId.length > maxIdCharacters || !/^https:\/\/[^/?#\\\s]+\/[^?#\\\s]+$/.test(clientId)) return false;
  const url = parseUrl(clientId);
  // The serialized address equals the text, so the text has neither dot segments nor a disguised host.
  return url !== undefined && url.href === clientId && url.username === '' && url.password === '';
}

/** Fetches client metadata documents. Every failure is `invalid_client`, with the reason for the log only as its cause. */
export class DocumentFetch {
  readonly #network: Network;
  #running = 0;

  constructor(network: Network) {
    this.#network = network;
  }

  async fetch(clientId: string): Promise<FetchedDocument> {
    if (this.#running >= maxFetches) throw unknownClient('Too many documents are being fetched.');
    this.#running += 1;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error('The document did not arrive in time.')), maxFetchMs);
    try {
      return await this.#fetch(new URL(clientId), stop.signal);
    } catch (error) {
      throw unknownClient(error);
    } finally {
      clearTimeout(timer);
      this.#running -= 1;
    }
  }

  async #fetch(url: URL, signal: AbortSignal): Promise<FetchedDocument> {
    const address = await unlessAborted(this.#publicAddress(url.hostname), signal);
    const to = { address, host: url.hostname, port: Number(url.port || 443) };
    const socket = this.#network.connect(to);
    try {
      return await read(url, socket, signal);
    } finally {
      socket.destroy();
    }
  }

  /** Returns the address to connect to. Resolves once, so that a second answer of the name server has no effect. */
  async #publicAddress(host: string): Promise<string> {
    const bare = host.replace(/^\[|\]$/g, '');
    if (isIP(bare) !== 0 || !host.includes('.')) throw new Error('The host of a document is a public name.');
    const addresses = await this.#network.resolve(host);
    const [first] = addresses;
    if (first === undefined) throw new Error('The host has no address.');
    if (!addresses.every(isPublicAddress)) throw new Error('The host has an address that is not public.');
    return first;
  }
}

function read(url: URL, socket: TLSSocket, signal: AbortSignal): Promise<FetchedDocument> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': 'Pacioli' };
    socket.once('error', reject);
    // Only an agent decides about the connection: with `agent: false`, `createConnection` of a request is ignored.
    const agent = Object.assign(new Agent({ keepAlive: false }), { createConnection: () => socket });
    const sent = request(url, { agent, headers, signal }, (response) => {
      const { statusCode, headers: given } = response;
      // A redirect could lead to another host, so only a direct response counts.
      if (statusCode !== 200) return reject(new Error(`The document has the status ${statusCode}.`));
      if (!/^application\/([a-z0-9.+-]+\+)?json\b/i.test(given['content-type'] ?? '')) {
        return reject(new Error('The document is not JSON.'));
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxDocumentBytes) reject(new Error('The document is too long.'));
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('aborted', () => reject(new Error('The document is incomplete.')));
      response.once('end', () => {
        try {
          const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
          resolve({ value: JSON.parse(text), maxAgeSeconds: maxAgeOf(given['cache-control']) });
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.once('error', reject);
    sent.end();
  });
}

/** The lifetime of a document: its max-age within the limits, also for documents that must not be cached (O-11). */
function maxAgeOf(header: string | undefined): number {
  const given = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(header ?? '')?.[1];
  if (/(?:^|[,\s])no-(store|cache)\b/i.test(header ?? '')) return minSeconds;
  return given === undefined ? defaultSeconds : Math.min(maxSeconds, Math.max(minSeconds, Number(given)));
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
