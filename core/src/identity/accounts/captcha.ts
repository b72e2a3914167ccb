import { createToken, type Token } from '../../container/token.ts';
import { refused } from './refusals.ts';

/** Tells people from programs before an account is created (platform A-22). */
export interface Captcha {
  readonly required: boolean;
  /** The provider's name, as front ends know it. */
  readonly provider: string;
  readonly siteKey: string | null;
  /** True if the provider accepts the token; may throw, and must stop when the signal aborts. */
  verify(token: string, ip: string | undefined, signal: AbortSignal): Promise<boolean>;
}

/** The captcha port; a host overrides it. */
export const captcha: Token<Captcha> = createToken('kernel.captcha');

/** Requires no captcha. */
export const noCaptcha: Captcha = { required: false, provider: 'none', siteKey: null, verify: async () => true };

const maxVerifyMs = 5_000;

/** Throws 400 unless the captcha is solved or none is required; a failing provider counts as not solved. */
export async function requireCaptcha(
  port: Captcha,
  token: string | null | undefined,
  ip: string | undefined,
): Promise<void> {
  if (!port.required) return;
  if (token === null || token === undefined || token === '') {
    throw refused('CAPTCHA verification is required for registration');
  }
  const isSolved = await port.verify(token, ip, AbortSignal.timeout(maxVerifyMs)).catch(() => false);
  if (!isSolved) throw refused('CAPTCHA verification failed. Please try again.');
}
