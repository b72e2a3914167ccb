import { parseUrl } from '../../schema/parse-url.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';

/** The WebAuthn relying party of a deployment, with the origins that may use its passkeys (platform M-11). */
export interface RelyingParty {
  readonly rpId: string;
  readonly rpName: string;
  readonly origins: readonly string[];
}

/**
 * Returns the relying party of a deployment; empty settings default to the public URL. Throws a readable message if no
 * browser would accept it, so that a host fails at startup and not at the first enrollment.
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
  if (url === undefined)
    throw new Error(`${setting} has "${text}", which is not an address such as https://example.org.`);
  return url;
}
