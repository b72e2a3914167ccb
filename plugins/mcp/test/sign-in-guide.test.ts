import { readFileSync } from 'node:fs';
import graph from '@pacioli/graph';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import mcp from '../src/index.ts';

/**
 * Goal: the steps of docs/guide/15-sign-in-for-ai-clients.md work as printed. Method: each is sent in order; a value that
 * the page calls `<name>` is read from the first response that has it, and later ones must repeat it.
 */
const page = readFileSync(new URL('../../../docs/guide/15-sign-in-for-ai-clients.md', import.meta.url), 'utf8');
const steps = [...page.matchAll(/```text\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n\n'))
  .map((step) => step.split('\n'));

let service: TestService;
let user: TestClient;
const values = new Map<string, string>();

beforeAll(async () => {
  service = await startTestService({ plugins: [graph, mcp] });
  user = await service.newUser('Ann');
  values.set('graph', await user.createGraph('Harbour Books', []));
  values.set('issuer', service.url);
});
afterAll(() => service.close());

const filledIn = (text: string) => text.replaceAll(/<(\w+)>/g, (_all, name: string) => values.get(name) ?? `<${name}>`);

/** Compares a text with a pattern, and keeps the values that the pattern names. */
function expectText(pattern: string, given: string): void {
  const names: string[] = [];
  const source = filledIn(pattern)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/<(\w+)>/g, (_all, name: string) => {
      names.push(name);
      return '([^&"]+)';
    });
  const found = new RegExp(`^${source}$`).exec(given);
  expect(found, `${given} is not ${pattern}`).not.toBeNull();
  for (const [index, name] of names.entries()) values.set(name, found?.[index + 1] ?? '');
}

function expectFields(pattern: Record<string, unknown>, given: Record<string, unknown>): void {
  for (const [field, expected] of Object.entries(pattern)) {
    const actual = given[field];
    if (typeof expected === 'string') expectText(expected, decodeURIComponent(String(actual)));
    else expect(JSON.stringify(actual)).toBe(filledIn(JSON.stringify(expected)));
  }
}

async function send(request: string) {
  const [, kind, method = '', path = '', body] = /^(?:(user|form) )?(GET|POST) (\S+)(?: (.*))?$/.exec(request) ?? [];
  const headers =
    body === undefined
      ? {}
      : { 'content-type': kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json' };
  const answer = await fetch(`${service.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(kind === 'user' ? user.headers : {}) },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}

describe('the guide to sign-in for AI clients', () => {
  it('prints requests that work, with their responses (ai-surface 12.2)', async () => {
    expect(steps).toHaveLength(9);
    for (const [request = '', response = ''] of steps) {
      const { status, location, text } = await send(filledIn(request));
      const [, expectedStatus, expected = ''] = /^(\d+) (.*)$/.exec(response) ?? [];
      expect([request, String(status)]).toEqual([request, expectedStatus]);
      if (status === 302) expectText(expected, location);
      else expectFields(JSON.parse(expected), JSON.parse(text));
    }
  });
});
