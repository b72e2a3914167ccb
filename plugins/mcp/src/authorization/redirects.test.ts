import { describe, expect, it } from 'vitest';
import { isLoopbackRedirect, isSameRedirect, redirectHost, redirectProblem, redirectWith } from './redirects.ts';

describe('redirectProblem', () => {
  it.each([
    'https://claude.ai/api/mcp/auth_callback',
    'https://app.example.org/cb?tenant=1&encode=code',
    'http://localhost/cb',
    'http://localhost:8080',
    'http://127.0.0.1:53122/cb',
    'http://127.9.9.9/cb',
    'http://[::1]:9000/cb',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'com.example.app:/callback',
  ])('accepts %s (O-10)', (redirect) => {
    expect(redirectProblem(redirect)).toBeUndefined();
  });

  it.each([
    '',
    '/callback',
    'app.example.org/cb',
    'https:///cb',
    'https:app.example.org/cb',
    'http://app.example.org/cb',
    'http://localhost.example.org/cb',
    'http://localhost.:80/cb',
    'http://128.0.0.1/cb',
    'http://[::2]/cb',
    'http://0.0.0.0/cb',
    'https://app.example.org/cb#fragment',
    'https://app.example.org/cb#',
    'https://claude.ai@evil.example/cb',
    'https://user:secret@app.example.org/cb',
    'http://localhost@evil.example/cb',
    'https://app.example.org/a b',
    ' https://app.example.org/cb',
    'https://app.example.org/\tcb',
    'https://app.example.org\\@evil.example/cb',
    'https://app.example.org/\u202egpj',
    'https://app.example.org/cb?code=1',
    'https://app.example.org/cb?tenant=1&st%61te=1',
    'https://app.example.org/cb?error',
    'https://app.example.org/cb?error_description=x',
    'http://127.0.0.1/cb?ISS=https://evil.example',
    'com.example.app:/cb?code=1',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'blob:https://app.example.org/1',
    'vbscript:msgbox',
    'about:blank',
    'view-source:https://app.example.org',
    'ws://app.example.org/cb',
    'wss://app.example.org/cb',
    'jar:https://app.example.org/a.jar!/',
    'search-ms:query=cb',
    'ms-settings:network/x',
    'MS-Excel:ofe/x',
    'com.example.app:',
    'com.example.app:/',
  ])('refuses %j (O-10)', (redirect) => {
    expect(redirectProblem(redirect)).toEqual(expect.any(String));
  });

  it('accepts 2,048 characters and refuses one more (O-10)', () => {
    const longest = `https://app.example.org/${'a'.repeat(2_048 - 24)}`;
    expect([longest.length, redirectProblem(longest)]).toEqual([2_048, undefined]);
    expect(redirectProblem(`${longest}a`)).toContain('2048');
  });
});

describe('isSameRedirect', () => {
  it('compares exactly, except for the port of a loopback redirect (O-14)', () => {
    expect(isSameRedirect('http://127.0.0.1/cb', 'http://127.0.0.1:53122/cb')).toBe(true);
    expect(isSameRedirect('http://localhost:1/cb?a=1', 'http://localhost:2/cb?a=1')).toBe(true);
    expect(isSameRedirect('http://[::1]:1/cb', 'http://[::1]/cb')).toBe(true);
    expect(isSameRedirect('https://app.example.org/cb', 'https://app.example.org/cb')).toBe(true);
  });

  it.each([
    ['https://app.example.org/cb', 'https://app.example.org:8443/cb'],
    ['https://app.example.org/cb', 'https://app.example.org/cb/'],
    ['https://app.example.org/cb', 'https://APP.example.org/cb'],
    ['https://app.example.org/cb', 'https://app.example.org/cb?x=1'],
    ['https://app.example.org/cb', 'https://app.example.org/cb/../cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.2/cb'],
    ['http://127.0.0.1/cb', 'http://localhost/cb'],
    ['http://127.0.0.1/cb', 'https://127.0.0.1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1/CB'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1/cb?x=1'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1/cb#x'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1/x/../cb'],
    ['http://localhost/cb', 'http://localhost:80@evil.example/cb'],
    ['http://localhost/cb', 'http://LOCALHOST:1/cb'],
  ])('distinguishes %s from %s (O-14)', (registered, given) => {
    expect(isSameRedirect(registered, given)).toBe(false);
  });
});

describe('redirects', () => {
  it('keep their text when parameters are added (O-20)', () => {
    expect(redirectWith('https://app.example.org/cb?tenant=1', { code: 'a b', state: undefined })).toBe(
      'https://app.example.org/cb?tenant=1&code=a+b',
    );
    expect(redirectWith('com.example.app:/cb', { iss: 'https://api.example' })).toBe(
      'com.example.app:/cb?iss=https%3A%2F%2Fapi.example',
    );
  });

  it('name their host for people, or an app on the device (O-22)', () => {
    expect(redirectHost('https://app.example.org:8443/cb')).toBe('app.example.org:8443');
    expect(redirectHost('claude.ai://claude.ai')).toBe('an app on this device (claude.ai:)');
    expect(redirectHost('com.example.app:/cb')).toBe('an app on this device (com.example.app:)');
    expect([isLoopbackRedirect('http://127.1/cb'), isLoopbackRedirect('cursor://localhost')]).toEqual([true, false]);
  });
});
