import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Options of the service, as JSON for a browser. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
type Options = any;

/** Deviations of a dishonest browser or device. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly signCount?: number;
  readonly userHandle?: string | null;
  readonly isTampered?: boolean;
  readonly attestation?: { readonly fmt: string; readonly statement: Cbor };
}

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

const flag = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

/** A browser with a passkey device for one origin: creates credentials and signs with them. */
export class SoftwareAuthenticator {
  readonly credentialId: string = randomBytes(16).toString('base64url');
  signCount = 0;
  readonly #origin: string;
  readonly #rpId: string;
  readonly #algorithm: Algorithm;
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  #userHandle: string | null = null;

  constructor(place: { readonly origin: string; readonly rpId: string; readonly algorithm?: Algorithm }) {
    this.#origin = place.origin;
    this.#rpId = place.rpId;
    this.#algorithm = place.algorithm ?? 'ES256';
    const pair = keyPair(this.#algorithm);
    this.#publicKey = pair.publicKey;
    this.#privateKey = pair.privateKey;
  }

  /** Creates the credential that the options request. */
  create(options: Options, deviation: Deviation = {}): Record<string, unknown> {
    this.#userHandle = options.user.id;
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const key = encode(this.#coseKey());
    const data = Buffer.concat([this.#authData(deviation, flag.attested), Buffer.alloc(16), length, id, key]);
    const { fmt, statement } = deviation.attestation ?? { fmt: 'none', statement: new Map() };
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', fmt],
      ['attStmt', statement],
      ['authData', data],
    ]);
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, deviation).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['internal', 'hybrid', 'carrier-pigeon'],
    });
  }

  /** Signs the challenge of the options. */
  get(options: Options, deviation: Deviation = {}): Record<string, unknown> {
    this.signCount += 1;
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation);
    const data = this.#authData(deviation);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    const signature = sign(this.#algorithm === 'EdDSA' ? null : 'sha256', signed, this.#privateKey);
    if (deviation.isTampered === true) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    const userHandle = deviation.userHandle === undefined ? this.#userHandle : deviation.userHandle;
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(userHandle === null ? {} : { userHandle }),
    });
  }

  #credential(response: object): Record<string, unknown> {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const data = {
      type: deviation.type ?? type,
      challenge: deviation.challenge ?? challenge,
      origin: deviation.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(data));
  }

  #authData(deviation: Deviation, more = 0): Buffer {
    const verified = deviation.isVerified === false ? 0 : flag.verified;
    const tail = Buffer.alloc(5);
    tail[0] = flag.present | verified | flag.backupEligible | flag.backedUp | more;
    tail.writeUInt32BE(deviation.signCount ?? this.signCount, 1);
    const rpIdHash = createHash('sha256').update(deviation.rpId ?? this.#rpId);
    return Buffer.concat([rpIdHash.digest(), tail]);
  }

  #coseKey(): Cbor {
    const jwk = this.#publicKey.export({ format: 'jwk' });
    const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');
    if (this.#algorithm === 'RS256') {
      const entries: [Cbor, Cbor][] = [
        [1, 3],
        [3, -257],
        [-1, bytes(jwk.n)],
        [-2, bytes(jwk.e)],
      ];
      return new Map(entries);
    }
    if (this.#algorithm === 'EdDSA') {
      const entries: [Cbor, Cbor][] = [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytes(jwk.x)],
      ];
      return new Map(entries);
    }
    const entries: [Cbor, Cbor][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(jwk.x)],
      [-3, bytes(jwk.y)],
    ];
    return new Map(entries);
  }
}

function keyPair(algorithm: Algorithm): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** The subset of CBOR that a credential needs. */
export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>;

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, entry]) => [encode(key), encode(entry)])]);
  }
  const list = [...(value as readonly Cbor[])]; // The only remaining type.
  return Buffer.concat([head(4, list.length), ...list.map(encode)]);
}

function head(major: number, size: number): Buffer {
  const type = major << 5;
  if (size < 24) return Buffer.from([type | size]);
  if (size < 256) return Buffer.from([type | 24, size]);
  return Buffer.from([type | 25, size >> 8, size & 255]);
}
