import { sql } from '@pacioli/core';
import mcp from '@pacioli/mcp';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { authorizationServer } from '../src/authorization/authorization-server.ts';
import type { McpUsedConfirmation } from '../src/rows.gen.ts';
import { controls, fixturePlugin } from './fixture-plugin.ts';
import { send, service, useEndpoint } from './wire-fixture.ts';

/** Goal: a confirmation counts for one call, and shows all of it (ai-surface M-20d). Method: HTTP, as clients do. */
useEndpoint();

/** Calls the tool as a client that can ask a person, at first or with the answer to a question. */
async function erase(given: object, answered: object = {}, at?: string) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const params = { name: 'erase-all', arguments: given, ...answered, _meta: meta };
  const { body } = await send({
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'erase-all' },
    ...(at === undefined ? {} : { at }),
  });
  return body.result;
}

/** The retry of a call that was asked about, with the yes of the person. */
async function confirmed(given: object) {
  const { requestState } = await erase(given);
  return { requestState, inputResponses: { confirmation: { action: 'accept', content: { confirm: true } } } };
}

const used = {
  isError: true,
  content: [{ type: 'text', text: 'This confirmation was used already. Call the tool again to be asked again.' }],
};

describe('the confirmation of a destructive call', () => {
  it('executes one of several retries, and none later or in another process (ai-surface M-20d)', async () => {
    const given = { reason: 'spring cleaning' };
    const yes = await confirmed(given);
    const before = controls.erased;
    const results = await Promise.all(Array.from({ length: 6 }, () => erase(given, yes)));
    expect(controls.erased).toBe(before + 1);
    expect(results.filter(({ isError }) => isError === undefined)).toHaveLength(1);
    expect(results.filter(({ isError }) => isError === true)).toEqual(Array(5).fill(expect.objectContaining(used)));
    const { store } = service;
    const other = await startTestService({ plugins: [mcp, fixturePlugin], store, worker: false });
    expect(await erase(given, yes, other.url)).toMatchObject(used);
    expect(await erase(given, await confirmed(given), other.url)).toMatchObject({
      content: [{ text: '{\n  "erased": "spring cleaning"\n}' }],
    });
    await other.close();
  });

  it('is forgotten after it has expired (ai-surface M-20d)', async () => {
    const given = { reason: 'sweep' };
    await erase(given, await confirmed(given));
    const rows = () =>
      service.store.transaction('kernel', (tx) =>
        tx.query(sql<Pick<McpUsedConfirmation, 'expires_at'>>`
        SELECT expires_at FROM mcp_used_confirmation ORDER BY expires_at`),
      );
    const latest = (await rows()).at(-1)?.expires_at ?? new Date(0);
    const { expiry } = service.service.services.resolve(authorizationServer);
    await expiry.run(new Date(latest.getTime() - 1), new AbortController().signal);
    expect(await rows()).toHaveLength(1);
    await expiry.run(latest, new AbortController().signal);
    expect(await rows()).toEqual([]);
  });

  it('shows every argument, a long one with a mark after the short ones (ai-surface M-20d)', async () => {
    const asked = await erase({ reason: 'x'.repeat(2_500), ids: [7] });
    expect(asked.inputRequests.confirmation.params.message.split('\n').slice(1)).toEqual([
      'ids.0: 7',
      `reason: "${'x'.repeat(500)}"… (2,500 characters)`,
    ]);
  });

  it('is not asked for, and nothing runs, if a person could not read the arguments (ai-surface M-20d)', async () => {
    const before = controls.erased;
    const ids = Array.from({ length: 100 }, (_, index) => index);
    expect(await erase({ reason: 'all', ids })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('more arguments than a person can confirm: at most 100 values') }],
    });
    expect((await erase({ reason: 'all', ids: ids.slice(1) })).resultType).toBe('input_required');
    expect(controls.erased).toBe(before);
  });
});
