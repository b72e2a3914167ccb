import { sql } from '@pacioli/core';
import mcp from '@pacioli/mcp';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it, vi } from 'vitest';
import { authorizationServer } from '../src/authorization/authorization-server.ts';
import type { McpUsedConfirmation } from '../src/rows.gen.ts';
import { controls, fixturePlugin } from './fixture-plugin.ts';
import { statelessRequest } from './stateless-request.ts';
import { send, service, useEndpoint, user } from './wire-fixture.ts';

/** Goal: a confirmation is for one call, and shows all of it (ai-surface M-20d). Method: HTTP, as clients do. */
useEndpoint();

/** Calls the tool as a client that can ask a person, without or with the answer to its question. */
async function erase(given: object, answered: object = {}, at?: string, to?: string) {
  const { body } = await eraseAs({ elicitation: { form: {} } }, { given, answered, at, to });
  return body.result;
}

interface Erasure {
  readonly given: object;
  readonly answered?: object;
  readonly at?: string | undefined;
  readonly to?: string | undefined;
}

async function eraseAs(capabilities: object, { given, answered = {}, at, to }: Erasure) {
  const { headers, body } = statelessRequest(
    'tools/call',
    { name: 'erase-all', arguments: given, ...answered },
    { capabilities },
  );
  return send({ headers, body, ...(at === undefined ? {} : { at }), ...(to === undefined ? {} : { to }) });
}

/** Asks for a confirmation, and returns the parameters that give it. */
async function confirmed(given: object) {
  const { requestState } = await erase(given);
  return accepted(requestState);
}

function accepted(requestState: string) {
  return { requestState, inputResponses: { confirmation: { action: 'accept', content: { confirm: true } } } };
}

const used = {
  isError: true,
  content: [{ type: 'text', text: 'This confirmation was used already. Call the tool again to be asked again.' }],
};

describe('the confirmation of a destructive call', () => {
  it('lets one of several retries execute, and none later or in another process (ai-surface M-20d)', async () => {
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

  it('is refused after a no to the same question (ai-surface M-20d)', async () => {
    const given = { reason: 'second thoughts' };
    const before = controls.erased;
    const noes = [{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { confirm: false } }];
    for (const confirmation of noes) {
      const { requestState } = await erase(given);
      expect(await erase(given, { requestState, inputResponses: { confirmation } })).toMatchObject({
        isError: true,
        content: [{ text: 'The call was not confirmed. Nothing changed.' }],
      });
      expect(await erase(given, accepted(requestState))).toMatchObject(used);
    }
    expect(controls.erased).toBe(before);
  });

  it('for another call is an error of the tool, and a changed or expired one is an error of the protocol (ai-surface M-20d)', async () => {
    const given = { reason: 'this' };
    const before = controls.erased;
    const { requestState } = await erase(given);
    const invalid = {
      isError: true,
      content: [{ text: expect.stringContaining('is for another call') }],
    };
    const refusedState = { code: -32602, message: 'Invalid or expired requestState' };
    const erasure = async (answered: object) =>
      (await eraseAs({ elicitation: { form: {} } }, { given, answered })).body;
    const [version, body = '', signature] = requestState.split('.');
    const content = JSON.parse(Buffer.from(body, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...content, exp: content.exp + 60 })).toString('base64url');
    for (const state of ['v1.x.y', 'x', `${version}.${changed}.${signature}`])
      expect((await erasure(accepted(state))).error, state).toMatchObject(refusedState);
    expect(await erase({ reason: 'that' }, accepted(requestState))).toMatchObject(invalid);
    vi.useFakeTimers({ toFake: ['Date'], now: (content.exp + 1) * 1000 });
    const expired = await erasure(accepted(requestState)).finally(() => vi.useRealTimers());
    expect(expired.error).toMatchObject(refusedState);
    expect(controls.erased).toBe(before);
    expect(await erase(given, accepted(requestState))).toMatchObject({
      content: [{ text: expect.stringMatching('this') }],
    });
  });

  it('counts also for a client that does not say again that it can ask (ai-surface M-20d)', async () => {
    const given = { reason: 'no capability' };
    const before = controls.erased;
    const without = async (answered: object, of: object = given) =>
      (await eraseAs({}, { given: of, answered })).body.result;
    const { requestState } = await erase(given);
    const unanswered = await without({ requestState });
    expect(unanswered).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('no answer') }] });
    const another = await without(accepted(requestState), { reason: 'another' });
    expect(another).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('another call') }] });
    await without({ requestState, inputResponses: { confirmation: { action: 'decline' } } });
    expect(await without(accepted(requestState))).toMatchObject(used);
    expect(controls.erased).toBe(before);
  });

  it('takes accept, decline and cancel, and is not used up by another word (ai-surface M-20d)', async () => {
    const given = { reason: 'perhaps' };
    const { requestState } = await erase(given);
    const answered = { requestState, inputResponses: { confirmation: { action: 'maybe' } } };
    const { error } = (await eraseAs({ elicitation: { form: {} } }, { given, answered })).body;
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('accept, decline or cancel') });
    expect((await erase(given, accepted(requestState))).isError).toBeUndefined();
  });

  it('for another graph is an error of the protocol (ai-surface M-20d)', async () => {
    const given = { reason: 'elsewhere' };
    const before = controls.erased;
    const other = await user.createGraph('Other books', ['fixture']);
    const yes = await confirmed(given);
    const to = `/v1/graphs/${other}/mcp`;
    const { body } = await eraseAs({ elicitation: { form: {} } }, { given, answered: yes, to });
    expect(body.error).toMatchObject({ code: -32602, message: 'Invalid or expired requestState' });
    expect(controls.erased).toBe(before);
  });

  it('is asked for only through clients that support forms (ai-surface M-20d)', async () => {
    const given = { reason: 'by form' };
    for (const elicitation of [{}, { form: {} }, { form: {}, url: {} }])
      expect((await eraseAs({ elicitation }, { given })).body.result.resultType).toBe('input_required');
    for (const capabilities of [{}, { elicitation: { url: {} } }])
      expect(await eraseAs(capabilities, { given })).toMatchObject({
        status: 200,
        body: { result: { content: [{ text: '{\n  "erased": "by form"\n}' }] } },
      });
  });

  it('is not asked for if the arguments do not fit the tool (ai-surface M-20d)', async () => {
    for (const given of [{}, { reason: 7 }, { reason: 'all', ids: ['x'] }, { reason: 'all', graph_id: 'kg1' }]) {
      const { resultType, isError, content } = await erase(given);
      expect([resultType, isError, content[0].text], JSON.stringify(given)).toEqual([
        'complete',
        true,
        expect.stringContaining('invalid_input'),
      ]);
    }
  });

  it('is removed from the store after it has expired (ai-surface M-20d)', async () => {
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
