import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import type { AttestationObject } from '@simplewebauthn/server/helpers';
import { challengeSeconds, field } from './challenges.ts';
import type { CredentialFacts, Passkey } from './passkey-rows.ts';
import type { RelyingParty } from './relying-party.ts';

/** Options for the browser, in the format of the WebAuthn API. */
export type CeremonyOptions = Readonly<Record<string, unknown>>;

/** The facts of a verified assertion. */
export interface Signed {
  readonly sign_count: number;
  readonly backup_state: boolean;
}

/** COSE algorithm identifiers (RFC 9053, 2; RFC 8812, 2). */
const algorithms = Object.values({ es256: -7, edDsa: -8, rs256: -257 });
const timeout = challengeSeconds * 1000;
const knownTransports = new Set(['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable']);

type Challenge = Uint8Array<ArrayBuffer>;

/** Loaded by the first ceremony: it takes a quarter of a second, and most deployments never use passkeys. */
const library = () => import('@simplewebauthn/server');
const decoders = () => import('@simplewebauthn/server/helpers');

/** Builds options for WebAuthn ceremonies and verifies the responses. Only this file imports the library. */
export class Ceremonies {
  readonly #site: RelyingParty;

  constructor(site: RelyingParty) {
    this.#site = site;
  }

  /** Returns the options for creating a passkey (platform M-11). */
  async registrationOptions(
    user: { readonly id: string; readonly email: string; readonly name: string },
    challenge: Challenge,
    existing: readonly Passkey[],
  ): Promise<CeremonyOptions> {
    const { generateRegistrationOptions } = await library();
    const options = await generateRegistrationOptions({
      rpName: this.#site.rpName,
      rpID: this.#site.rpId,
      userID: new Uint8Array(Buffer.from(user.id)),
      userName: user.email,
      userDisplayName: user.name,
      challenge,
      timeout,
      attestationType: 'none',
      excludeCredentials: existing.map(descriptor),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: algorithms,
    });
    return { ...options };
  }

  /** Returns the options for signing with one of the given passkeys; by default the user chooses (platform M-16). */
  async assertionOptions(challenge: Challenge, allowed?: readonly Passkey[]): Promise<CeremonyOptions> {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: this.#site.rpId,
      challenge,
      timeout,
      userVerification: 'required',
      ...(allowed === undefined ? {} : { allowCredentials: allowed.map(descriptor) }),
    });
    return { ...options };
  }

  /** Returns the credential that a browser created for the challenge; undefined if the response is invalid. */
  async registered(credential: unknown, challenge: string): Promise<CredentialFacts | undefined> {
    const { verifyRegistrationResponse } = await library();
    const { decodeAttestationObject, isoBase64URL } = await decoders();
    const verified = await unlessRefused<VerifiedRegistrationResponse>(async () => {
      requireNoCertificates(credential, (encoded) => decodeAttestationObject(isoBase64URL.toBuffer(encoded)));
      return verifyRegistrationResponse({
        response: credential as RegistrationResponseJSON, // Untrusted: the library rejects every other shape.
        expectedChallenge: challenge,
        expectedOrigin: [...this.#site.origins],
        expectedRPID: this.#site.rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      });
    });
    if (verified?.verified !== true) return undefined;
    const { credential: made, aaguid, credentialDeviceType, credentialBackedUp } = verified.registrationInfo;
    return {
      credential_id: made.id,
      public_key: Buffer.from(made.publicKey).toString('base64url'),
      sign_count: made.counter,
      transports: transportsOf(credential),
      aaguid,
      backup_eligible: credentialDeviceType === 'multiDevice',
      backup_state: credentialBackedUp,
    };
  }

  /** Verifies an assertion for the challenge; undefined if it is invalid (platform M-15). */
  async signed(assertion: unknown, challenge: string, passkey: Passkey): Promise<Signed | undefined> {
    const userHandle = field(field(assertion, 'response'), 'userHandle') ?? undefined;
    const owner = Buffer.from(passkey.user_id).toString('base64url');
    if (userHandle !== undefined && userHandle !== owner) return undefined;
    const { verifyAuthenticationResponse } = await library();
    const verified = await unlessRefused<VerifiedAuthenticationResponse>(() =>
      verifyAuthenticationResponse({
        response: assertion as AuthenticationResponseJSON, // Untrusted: the library rejects every other shape.
        expectedChallenge: challenge,
        expectedOrigin: [...this.#site.origins],
        expectedRPID: this.#site.rpId,
        requireUserVerification: true,
        // The library rejects counts that do not grow, so it gets 0; the caller compares and only audits (M-15).
        credential: {
          id: passkey.credential_id,
          publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
          counter: 0,
        },
      }),
    );
    if (verified?.verified !== true) return undefined;
    const { newCounter, credentialBackedUp } = verified.authenticationInfo;
    return { sign_count: newCounter, backup_state: credentialBackedUp };
  }
}

/** Returns undefined if the library throws, which it does for refusals and for malformed input alike. */
async function unlessRefused<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

/** Rejects attestations with certificates: none is requested, and the library would fetch their revocation lists. */
function requireNoCertificates(credential: unknown, decode: (encoded: string) => AttestationObject): void {
  const encoded = field(field(credential, 'response'), 'attestationObject');
  if (typeof encoded !== 'string') throw new Error('The attestation is not a string.');
  const attestation = decode(encoded);
  const isPlain = attestation.get('fmt') === 'none';
  const isSelfSigned = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (!isPlain && !isSelfSigned) throw new Error('The attestation has certificates.');
}

function transportsOf(credential: unknown): readonly string[] {
  const given = field(field(credential, 'response'), 'transports');
  if (!Array.isArray(given)) return [];
  return [...new Set(given)].filter((entry) => typeof entry === 'string' && knownTransports.has(entry));
}

function descriptor(passkey: Passkey): { id: string; transports: string[] } {
  return { id: passkey.credential_id, transports: [...passkey.transports] };
}
