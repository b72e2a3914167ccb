import { describe, expect, it } from 'vitest';
import { type GivenSettings, settingsOf } from '../../settings/kernel-settings.ts';
import { relyingParty } from './relying-party.ts';

const party = (given: GivenSettings) => relyingParty(settingsOf(given));

describe('the relying party of passkeys', () => {
  it('defaults to the public URL (platform M-11)', () => {
    expect(party({})).toEqual({ rpId: 'localhost', rpName: 'Pacioli', origins: ['http://localhost:8000'] });
    expect(party({ publicUrl: 'https://books.example.org/app' })).toMatchObject({
      rpId: 'books.example.org',
      origins: ['https://books.example.org'],
    });
  });

  it('may have several origins below one domain (platform M-11)', () => {
    const origins = ['https://example.org', 'https://books.example.org:8443'];
    expect(party({ webauthn: { rpId: 'example.org', origins } }).origins).toEqual(origins);
  });

  it.each([
    [{ rpId: 'example.org', origins: ['https://notexample.org'] }, 'cannot be used on https://notexample.org'],
    [{ rpId: 'example.org', origins: ['https://example.org/'] }, 'as https://example.org.'],
    [{ rpId: 'example.org', origins: ['example.org'] }, 'which is not an address'],
  ])('fails at startup if no browser would accept it: %j', (webauthn, sentence) => {
    expect(() => party({ webauthn })).toThrow(sentence);
  });
});
