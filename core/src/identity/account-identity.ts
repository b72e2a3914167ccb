import type { Identity } from '../auth/identity.ts';
import { all } from './all.gen.ts';
import { passkeyProof } from './passkeys/passkey-providers.ts';
import { relyingParty } from './passkeys/relying-party.ts';
import { identityProviders } from './providers.ts';

/** The default identity of a host: accounts with passwords, passkeys and keys, in organizations. */
export const accountIdentity: Identity = {
  providers: identityProviders,
  contributions: [passkeyProof],
  check: (settings) => {
    if (settings.auth.passkeys) relyingParty(settings);
  },
  ...all,
};
