import { type AssembleOptions, assemble } from '@pacioli/core/assembly';
import { openTestStore } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let opened: Awaited<ReturnType<typeof openTestStore>>;

beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(async () => {
  await opened.dispose();
});

/** Assembles with options that TypeScript would not compile. */
const start = (options: unknown) => assemble(options as AssembleOptions);
const messageOf = async (options: unknown) => start(options).then(() => '', String);

const auth = { jwtSecret: 'a secret that only tests know: 0123456789', issuer: 'test', audience: 'test' };

describe('options of assemble', () => {
  it('that are missing are named together, with what to pass', async () => {
    expect(await messageOf(undefined)).toBe(
      'AssemblyError: This set of plugins cannot be assembled:\n- the options are missing: pass plugins and a store',
    );
    expect(await messageOf({ settings: { sse: { enabled: 'yes' } } })).toBe(
      [
        'AssemblyError: This set of plugins cannot be assembled:',
        '- the option "plugins" must be a list of plugins',
        '- The setting sse.enabled must be a boolean, not "yes".',
        '- the option "store" is missing: pass a store, such as that of @pacioli/store-postgres',
        '- the option "auth" is missing: pass { jwtSecret, issuer, audience } for accounts, or an "identity" of your own',
      ].join('\n'),
    );
  });

  it('for accounts are a secret, an issuer and an audience', async () => {
    const { store } = opened;
    const expected: readonly (readonly [object, string])[] = [
      [{}, 'Error: Session tokens need a secret. Configure auth.jwtSecret.'],
      [
        { jwtSecret: 'short' },
        'Error: The secret for session tokens is shorter than 32 bytes. Configure a longer one.',
      ],
      [{ jwtSecret: auth.jwtSecret }, 'Error: Session tokens need an issuer and an audience. Configure both.'],
    ];
    for (const [given, message] of expected) expect(await messageOf({ plugins: [], store, auth: given })).toBe(message);
  });
});
