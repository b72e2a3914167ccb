import { createHash } from 'node:crypto';
import { isGraphId } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { clientMetadata } from './client-metadata.ts';
import { resembledClient } from './lookalikes.ts';
import { isChallenge, isVerified } from './pkce.ts';
import { findResource } from './resources.ts';
import { grantedScope, narrowedScope } from './scopes.ts';
import { isAccessToken, isRefreshToken, newAccessToken, newRefreshToken } from './secrets.ts';

const issuer = 'https://api.example';
const find = (given: string | undefined) =>
  findResource(issuer, given, {
    isProfile: (name) => name === 'roboledger',
    isGraphName: (text) => text === 'sec' || isGraphId(text),
  });

describe('findResource', () => {
  it('canonicalizes one trailing slash and the case of scheme and host (O-3)', () => {
    expect(find(undefined)).toEqual({ url: 'https://api.example/v1/mcp', graphId: undefined, profile: undefined });
    expect(find('HTTPS://API.Example/v1/mcp/')?.url).toBe('https://api.example/v1/mcp');
    expect(find('https://api.example/v1/mcp/roboledger')?.profile).toBe('roboledger');
    expect(find('https://api.example/v1/graphs/kg0a1b2c3d4e5f6071/mcp')?.graphId).toBe('kg0a1b2c3d4e5f6071');
    expect(find('https://api.example/v1/graphs/sec/mcp')?.graphId).toBe('sec');
  });

  it.each([
    'https://api.example',
    'https://api.example/v1/mcp//',
    'https://api.example/V1/mcp',
    'https://api.example/v1/mcp?x=1',
    'https://api.example/v1/mcp#x',
    'https://api.example:443/v1/mcp',
    'http://api.example/v1/mcp',
    'https://api.example.evil.example/v1/mcp',
    'https://user@api.example/v1/mcp',
    'https://api.example/v1/mcp/unknown',
    'https://api.example/v1/graphs/../mcp',
    'https://api.example/v1/graphs/zz/mcp',
    'https://api.example/v1/graphs/KG0A1B2C3D4E5F6071/mcp',
    'https://api.example/v1/graphs/kg0a1b2c3d4e5f6071',
    'mcp',
    '',
  ])('knows no resource %j (O-3)', (given) => {
    expect(find(given)).toBeUndefined();
  });
});

describe('PKCE', () => {
  it('accepts a verifier of 43 to 128 unreserved characters with the hash of the challenge (O-33)', () => {
    const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
    for (const length of [43, 128]) expect(isVerified(challengeOf('~'.repeat(length)), '~'.repeat(length))).toBe(true);
    for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}+`])
      expect(isVerified(challengeOf(verifier), verifier)).toBe(false);
    expect(isVerified(challengeOf('a'.repeat(43)), 'b'.repeat(43))).toBe(false);
    expect(isVerified('a'.repeat(43), 'a'.repeat(43)), 'the plain method').toBe(false);
    expect(isVerified(challengeOf('a'.repeat(43)), undefined)).toBe(false);
  });

  it('accepts challenges of exactly 43 base64url characters (O-20)', () => {
    const texts = ['a'.repeat(43), 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, undefined];
    expect(texts.map(isChallenge)).toEqual([true, false, false, false, false]);
  });
});

describe('tokens', () => {
  it('are told by their whole format (O-31)', () => {
    const [access, refresh] = [newAccessToken(), newRefreshToken()];
    expect([access, refresh].map(isAccessToken)).toEqual([true, false]);
    expect([access, refresh].map(isRefreshToken)).toEqual([false, true]);
    const others = [`rfs${'0'.repeat(64)}`, `${access}0`, access.slice(0, -1), access.toUpperCase(), `x${access}`];
    expect(others.map(isAccessToken)).toEqual([false, false, false, false, false]);
  });
});

describe('scopes', () => {
  it('always include mcp, and can only become narrower (O-20, O-34)', () => {
    expect(grantedScope(undefined)).toBe('mcp');
    expect(grantedScope('offline_access')).toBe('mcp offline_access');
    expect(() => grantedScope('mcp admin')).toThrow('scopes');
    expect(narrowedScope('mcp offline_access', 'mcp')).toBe('mcp');
    expect(() => narrowedScope('mcp', 'mcp offline_access')).toThrow('more scopes');
  });
});

describe('resembledClient', () => {
  it.each([
    ['Claude', 'https://evil.example/cb', 'Claude'],
    ['Cl\u0430ude', 'https://evil.example/cb', 'Claude'],
    ['CIaude Desktop', 'https://evil.example/cb', 'Claude'],
    ['Chat-GPT', 'https://chatgpt.com.evil.example/cb', 'ChatGPT'],
    ['Gémini', 'https://evil.example/cb', 'Gemini'],
    ['Zed', 'https://evil.example/cb', 'Zed'],
    ['Claude', 'com.evil.app:/cb', 'Claude'],
    ['Claude', 'claude.ai://claude.ai', 'Claude'],
    ['ChatGP\u03a4', 'https://evil.example/cb', 'ChatGPT'],
    ['\u03f9laude', 'https://evil.example/cb', 'Claude'],
    ['\u0262emini', 'https://evil.example/cb', 'Gemini'],
    ['\u{1d5a2}\u{1d5c5}aude', 'https://evil.example/cb', 'Claude'],
    ['\u0421\u041e\u0420\u0406L\u041e\u0422', 'https://evil.example/cb', 'Copilot'],
    ['\u0391\u039d\u03a4\u0397R\u039f\u03a1\u0399C', 'https://evil.example/cb', 'Anthropic'],
    ['VS Code', 'https://evil.example/cb', 'VS Code'],
    ['VSCode', 'https://evil.example/cb', 'VSCode'],
    ['Mistral', 'https://evil.example/cb', 'Mistral'],
    ['Grok', 'https://evil.example/cb', 'Grok'],
    ['Pacioli', 'https://evil.example/cb', 'Pacioli'],
    ['P\u0430cioli Support', 'https://pacioli.evil.example/cb', 'Pacioli'],
    ['Pacioli Desk', 'http://127.0.0.1:9/cb', 'Pacioli'],
  ])('warns of %s with the redirect %s (O-24)', (name, redirect, known) => {
    expect(resembledClient(name, redirect)).toBe(known);
  });

  it.each([
    ['Claude', 'https://claude.ai/api/mcp/auth_callback'],
    ['ChatGPT', 'https://eu.chatgpt.com/cb'],
    ['Authorized Ledger', 'https://app.example.org/cb'],
    ['Mongoose Books', 'https://app.example.org/cb'],
    ['Claude Code', 'http://127.0.0.1:9/cb'],
    ['Grok', 'https://grok.com/cb'],
    ['Ungrokked', 'https://app.example.org/cb'],
    ['Καθολικό', 'https://app.example.org/cb'],
    ['Главная книга', 'https://app.example.org/cb'],
  ])('does not warn of %s with the redirect %s (O-24)', (name, redirect) => {
    expect(resembledClient(name, redirect)).toBeUndefined();
  });
});

describe('clientMetadata', () => {
  const redirectUris = ['https://app.example.org/cb'];
  it('fills in the defaults (O-10)', () => {
    expect(clientMetadata({ redirect_uris: redirectUris })).toEqual({
      name: 'app.example.org',
      uri: null,
      logoUri: null,
      redirectUris: redirectUris,
      authMethod: 'none',
      applicationType: null,
    });
    expect(clientMetadata({ redirect_uris: ['http://localhost/cb'] }).name).toBe('MCP client');
  });

  it.each([
    ['invalid_redirect_uri', { redirect_uris: [] }],
    ['invalid_redirect_uri', { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://app.example.org/${n}`) }],
    ['invalid_redirect_uri', { redirect_uris: [1] }],
    ['invalid_redirect_uri', {}],
    ['invalid_client_metadata', []],
    ['invalid_client_metadata', null],
    ['invalid_client_metadata', { redirect_uris: redirectUris, client_name: 'a'.repeat(101) }],
    ['invalid_client_metadata', { redirect_uris: redirectUris, client_name: 'Cla\u200bude' }],
    ['invalid_client_metadata', { redirect_uris: redirectUris, client_name: '\u202eedualC' }],
    ...[
      ...['\u3164', '\u115f', '\u1160', '\uffa0', '\u2800', '\u034f\u034f', '\ufe0f', '\u180b', '\u17b4'],
      ...['Claude\u034f', '\u{e0100}a', 'a\u2028b', 'a\ud800', '\u0301', '—', '🦉'],
      ...[`a${'\u0334'.repeat(49)}`, `a${'\u0334'.repeat(4)}`],
    ].map((name): [string, object] => ['invalid_client_metadata', { redirect_uris: redirectUris, client_name: name }]),
    ['invalid_client_metadata', { redirect_uris: redirectUris, client_name: 7 }],
    ['invalid_client_metadata', { redirect_uris: redirectUris, client_uri: 'http://app.example.org' }],
    ['invalid_client_metadata', { redirect_uris: redirectUris, logo_uri: 'javascript:alert(1)' }],
    [
      'invalid_client_metadata',
      { redirect_uris: redirectUris, logo_uri: `https://app.example.org/${'a'.repeat(2_048)}` },
    ],
    ['invalid_client_metadata', { redirect_uris: redirectUris, token_endpoint_auth_method: 'private_key_jwt' }],
    ['invalid_client_metadata', { redirect_uris: redirectUris, grant_types: ['refresh_token'] }],
    ['invalid_client_metadata', { redirect_uris: redirectUris, response_types: ['token'] }],
    ['invalid_client_metadata', { redirect_uris: redirectUris, application_type: 'browser' }],
  ])('refuses as %s: %j (O-10, M-20g)', (code, given) => {
    expect(() => clientMetadata(given)).toThrow(expect.objectContaining({ code }));
  });

  it('accepts names of all languages, and three marks in a row (O-10)', () => {
    const names = ['Books 🦉', 'Бухгалтер', '帳簿', 'บัญชี', 'दफ़्तर', 'Sổ sách', `a${'\u0334'.repeat(3)}`, '7'];
    for (const name of names)
      expect(clientMetadata({ redirect_uris: redirectUris, client_name: name }).name).toBe(name.normalize('NFC'));
    expect(clientMetadata({ redirect_uris: redirectUris, client_name: ' ' }).name).toBe('app.example.org');
  });

  it('accepts ten redirects and a name of 100 characters (O-10)', () => {
    const ten = Array.from({ length: 10 }, (_, n) => `https://app.example.org/${n}`);
    const { name, redirectUris } = clientMetadata({ redirect_uris: ten, client_name: 'ä'.repeat(100) });
    expect([name.length, redirectUris.length]).toEqual([100, 10]);
  });
});
