#!/usr/bin/env node
/**
 * Implements the part of Formance Ledger that the benchmark `peer` needs, after its published OpenAPI description (v2)
 * and command line: `serve` with its flags, the health check, a ledger, transactions. It stores nothing and says
 * nothing about speed.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bind: { type: 'string' },
    'auto-upgrade': { type: 'boolean' },
    'postgres-uri': { type: 'string' },
    'postgres-max-open-conns': { type: 'string' },
    'postgres-max-idle-conns': { type: 'string' },
  },
});
if (positionals.join() !== 'serve' || flags['auto-upgrade'] !== true || !flags['postgres-uri']) {
  console.error('missing postgres uri, or the schemas are not upgraded');
  process.exit(1);
}
const [host, port] = (flags.bind ?? '').split(':');
const ledgers = new Set();
const references = new Set();

const isPosting = (posting) =>
  Number.isInteger(posting.amount) &&
  posting.amount >= 0 &&
  ['asset', 'source', 'destination'].every((name) => typeof posting[name] === 'string');

function answer(method, path, body) {
  if (path === '/_healthcheck') return [200, {}];
  const [, ledger, transactions] = /^\/v2\/([a-z]+)(\/transactions)?$/.exec(path) ?? [];
  if (method !== 'POST' || ledger === undefined) return [404, { errorCode: 'NOT_FOUND', errorMessage: path }];
  if (transactions === undefined) {
    ledgers.add(ledger);
    return [204, undefined];
  }
  if (!ledgers.has(ledger)) return [404, { errorCode: 'LEDGER_NOT_FOUND', errorMessage: ledger }];
  if (!Array.isArray(body.postings) || !body.postings.every(isPosting) || typeof body.metadata !== 'object')
    return [400, { errorCode: 'VALIDATION', errorMessage: 'postings and metadata' }];
  if (references.has(body.reference)) return [409, { errorCode: 'CONFLICT', errorMessage: body.reference }];
  references.add(body.reference);
  return [200, { data: { id: references.size, timestamp: new Date().toISOString(), reverted: false, ...body } }];
}

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (part) => {
    text += part;
  });
  request.on('end', () => {
    const [status, body] = answer(request.method, request.url, text === '' ? {} : JSON.parse(text));
    const noted = { path: request.url, status, key: request.headers['idempotency-key'], body: text, flags };
    if (process.env.PEER_NOTES) appendFileSync(process.env.PEER_NOTES, `${JSON.stringify(noted)}\n`);
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': randomUUID() });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
});
server.listen(Number(port), host);
process.on('SIGTERM', () => process.exit(0));
