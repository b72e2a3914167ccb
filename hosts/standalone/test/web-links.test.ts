import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';
import { readSettings } from '../src/settings.ts';

/**
 * Goal: a link that a caller stores for others leads to a web page and executes nothing. Method: the fields come from
 * the definitions of all plugins; an operation with a new such field needs a request here.
 */
const event = {
  event_type: 'inquiry_received',
  event_category: 'inquiry',
  event_class: 'support',
  occurred_at: '2026-03-02T09:00:00Z',
  source: 'manual',
};
const requests: Readonly<Record<string, object>> = {
  'create-event-block': event,
  'preview-event-block': event,
  'update-entity': {},
};

const bad = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'vbscript:x',
  'ftp://example.org/x',
  'mailto:a@example.org',
  'blob:https://example.org/1',
  '//example.org/x',
  '/relative',
  'relative',
  'www.example.org',
  'https:example.org',
  'https:/example.org',
  'https://',
  'https:///x',
  'https:\\\\example.org',
  'https://exa mple.org/',
  'https://example.org/a\nb',
  '\thttps://example.org/',
];
const good = [
  'https://example.org/a?b=c#d',
  'HTTP://EXAMPLE.ORG',
  'http://localhost:8000/x',
  'https://[::1]/x',
  'https://bücher.example/ä?q=1',
  null,
];

const linked = plugins
  .flatMap(({ operations }) => operations)
  .flatMap((operation) => {
    const names = Object.keys((operation.input as { properties?: object }).properties ?? {});
    return names.filter((name) => /(^|_)url$|^website$/.test(name)).map((field) => [operation.name, field] as const);
  });

let service: TestService;
let user: TestClient;
let base: string;
beforeAll(async () => {
  service = await startTestService({ plugins, aliases });
  user = await service.newUser('Ann');
  base = `/extensions/roboledger/${await user.createGraph('Links', ['roboledger'])}/operations`;
});
afterAll(() => service.close());

describe('link fields', () => {
  it('belong to exactly the operations that have a request here', () => {
    expect(linked.map(([operation]) => operation).sort()).toEqual(Object.keys(requests).sort());
  });

  it.each(linked)(
    'are rejected by %s in %s unless they are http or https, and the error names the field',
    async (name, field) => {
      const problemOf = async (link: string | null): Promise<string | undefined> => {
        const { status, body } = await user.post(`${base}/${name}`, {
          ...requests[name],
          name: 'Links',
          [field]: link,
        });
        // A preview returns the errors that recording would be rejected with.
        if (status === 200) return body.result.validation_errors?.[0];
        expect([link, status, body.code]).toEqual([link, 422, 'INVALID_INPUT']);
        return body.detail;
      };
      for (const link of bad) expect(await problemOf(link)).toMatch(new RegExp(`^${field}: .*http`));
      for (const link of good) expect([link, await problemOf(link)]).toEqual([link, undefined]);
    },
  );
});

describe('PACIOLI_PUBLIC_URL', () => {
  it('must be a web link, because it appears in mail and at the payment provider', () => {
    for (const link of ['localhost:8000', 'javascript:alert(1)', 'books.example.org', 'ftp://example.org']) {
      expect(() => readSettings({ PACIOLI_PUBLIC_URL: link })).toThrow('PACIOLI_PUBLIC_URL must be');
    }
    expect(readSettings({ PACIOLI_PUBLIC_URL: 'https://books.example.org/' }).kernel.publicUrl).toBe(
      'https://books.example.org',
    );
  });
});
