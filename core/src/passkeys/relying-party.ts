import { parseUrl } from '../schema/parse-url.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';

/** The site that passkeys are made for, and the origins that may use them (platform M-11). */
export interface RelyingParty {
  readonly rpId: string;
  readonly rpName: string;
  readonly origins: readonly string[];
}

/**
 * The site of a deployment; what the host leaves empty follows from its public address. Throws a sentence for people
 * when no browser would accept it, so that a host fails at its start and not at somebody's first passkey.
 */
export function relyingParty(settings: KernelSettings): RelyingParty {
  const { rpName } = settings.webauthn;
  const rpId = settings.webauthn.rpId || addressOf(settings.publicUrl, 'publicUrl').hostname;
  const given = settings.webauthn.origins;
  const origins = given.length === 0 ? [addressOf(settings.publicUrl, 'publicUrl').origin] : given;
  for (const origin of origins) {
    const { hostname, origin: plain } = addressOf(origin, 'webauthn.origins');
    if (plain !== origin) throw new Error(`Write the origin ${origin} of webauthn.origins as ${plain}.`);
    if (hostname !== rpId && !hostname.endsWith(`.${rpId}`)) {
      throw new Error(`Passkeys of ${rpId} cannot be used on ${origin}. Set webauthn.rpId to a domain of its own.`);
    }
  }
  return { rpId, rpName, origins };
}

function addressOf(text: string, setting: string): URL {
  const url = parseUrl(text);
  if (url === undefined) throw new Error(`${setting} has "${text}", which is no address such as https://example.org.`);
  return url;
}
