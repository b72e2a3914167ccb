import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import { authenticationRequired } from '../../auth/refusals.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Clock, Ids } from '../../services/kernel-tokens.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { type AccountRow, accountById } from '../accounts/account-rows.ts';
import type { BruteForce } from '../accounts/brute-force.ts';
import type { Proof, Reauthentication } from '../accounts/reauthentication.ts';
import type { MailQueue } from '../mails/mail-queue.ts';
import { passkeyEnrolledMail } from '../mails/passkey-mails.ts';
import type { SignedIn, SignIn } from '../sessions/sign-in.ts';
import type { Ceremonies, CeremonyOptions } from './ceremonies.ts';
import { issueChallenge, type Purpose, takeChallenge } from './challenges.ts';
import type { MfaTicket, MfaTokens } from './mfa-tokens.ts';
import {
  type CredentialFacts,
  countPasskeys,
  insertPasskey,
  lockUser,
  maxPasskeysPerUser,
  type Passkey,
  passkeysOf,
} from './passkey-rows.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { badMfaToken, registrationFailed, tooManyPasskeys } from './refusals.ts';

/** The user who enrolls: signed in (settings lane), or the holder of an enrollment token (forced lane, M-12). */
export interface Enroller {
  readonly userId?: string | undefined;
  readonly mfaToken?: string | null | undefined;
}

/** The result of an enrollment; codes only with the first passkey, `auth` only in the forced lane. */
export interface Enrolled {
  readonly passkey: Passkey;
  readonly recoveryCodes: readonly string[] | null;
  readonly auth: SignedIn | null;
}

const defaultName = 'Passkey';
const maxNameCharacters = 100;

interface EnrollmentServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: KernelSettings;
  readonly audit: SecurityAudit;
  readonly mails: MailQueue;
  readonly signIn: SignIn;
  readonly mfaTokens: MfaTokens;
  readonly ceremonies: Ceremonies;
  readonly bruteForce: BruteForce;
  readonly reauthentication: Reauthentication;
}

/** The user of an enrollment, with the token in the forced lane. */
interface Lane {
  readonly userId: string;
  readonly ticket?: MfaTicket;
}

/** Enrolls passkeys (platform M-11 to M-13). */
export class Enrollment {
  readonly #use: EnrollmentServices;

  constructor(use: EnrollmentServices) {
    this.#use = use;
  }

  /**
   * Returns the options for creating a passkey. The settings lane requires a fresh proof; in the forced lane the token
   * is the proof. Throws 401 for a bad proof, 409 at the limit of passkeys.
   */
  async options(who: Enroller, proof: Proof, request: RequestFacts): Promise<CeremonyOptions> {
    const { store, clock, ceremonies, mfaTokens, reauthentication } = this.#use;
    const lane = await this.#lane(who, (token) => mfaTokens.open(token, 'enroll'));
    if (lane.ticket === undefined) await reauthentication.prove(lane.userId, proof, request);
    return store.transaction('kernel', async (tx) => {
      const account = await accountById(tx, lane.userId);
      if (account === undefined) throw authenticationRequired();
      const existing = await passkeysOf(tx, lane.userId);
      // A password alone must not add a passkey to existing ones.
      if (lane.ticket !== undefined && existing.length > 0) throw badMfaToken();
      if (existing.length >= maxPasskeysPerUser) throw tooManyPasskeys(maxPasskeysPerUser);
      const challenge = await issueChallenge(tx, purposeOf(lane), clock.now());
      const { user_id: id, email, name } = account;
      return ceremonies.registrationOptions({ id, email, name }, challenge, existing);
    });
  }

  /**
   * Stores the passkey that the browser created; in the forced lane this also completes the sign-in. Throws 400 with
   * the reason if the response of the browser is invalid.
   */
  async verify(
    who: Enroller,
    given: { readonly credential: unknown; readonly name?: string | null | undefined },
    request: RequestFacts,
  ): Promise<Enrolled> {
    const { store, clock, ceremonies, mfaTokens, signIn, bruteForce } = this.#use;
    const lane = await this.#lane(who, (token) => mfaTokens.openForAttempt(token, 'enroll'));
    const challenge = await store.transaction('kernel', (tx) =>
      takeChallenge(tx, given.credential, { purpose: purposeOf(lane), now: clock.now() }),
    );
    if (challenge === undefined) throw registrationFailed('challenge_invalid');
    const facts = await ceremonies.registered(given.credential, challenge);
    if (facts === undefined) throw registrationFailed('verification_failed');
    const stored = await store.transaction('kernel', (tx) =>
      this.#store(tx, { lane, facts, name: nameOf(given.name), request }),
    );
    const { passkey, recoveryCodes, account } = stored;
    if (lane.ticket === undefined) return { passkey, recoveryCodes, auth: null };
    if (!stored.isRedeemed) throw badMfaToken(); // The passkey remains (platform M-12).
    await bruteForce.succeeded({ ip: request.ip, email: account.email });
    return { passkey, recoveryCodes, auth: await signIn.open(account, 'Login successful', request) };
  }

  async #store(
    tx: Transaction,
    given: { lane: Lane; facts: CredentialFacts; name: string; request: RequestFacts },
  ): Promise<Omit<Enrolled, 'auth'> & { readonly account: AccountRow; readonly isRedeemed: boolean }> {
    const { clock, ids, audit, mails, mfaTokens, settings } = this.#use;
    const { lane, facts, name, request } = given;
    const { userId, ticket } = lane;
    await lockUser(tx, userId);
    const account = await accountById(tx, userId);
    if (account?.is_active !== true) throw authenticationRequired();
    const count = await countPasskeys(tx, userId);
    const isRedeemed = ticket !== undefined && (await mfaTokens.redeem(tx, ticket));
    // A concurrent token of this user enrolled first; this one was issued for a user without passkeys.
    if (isRedeemed && count > 0) throw badMfaToken();
    if (count >= maxPasskeysPerUser) throw tooManyPasskeys(maxPasskeysPerUser);
    const now = clock.now();
    const passkey = await insertPasskey(tx, { ...facts, id: ids.make('pk'), userId, name, now });
    if (passkey === undefined) throw registrationFailed('duplicate_credential');
    const recoveryCodes = count === 0 ? await replaceRecoveryCodes(tx, userId, now) : null;
    const details = { lane: ticket === undefined ? 'settings' : 'forced', passkey_id: passkey.id };
    await audit.append(tx, { type: 'passkey_enrolled', risk: 'medium', userId, request, details });
    await mails.queue(tx, passkeyEnrolledMail({ to: account.email, publicUrl: settings.publicUrl, name }));
    if (isRedeemed) {
      const method = { method: 'password+passkey' };
      await audit.append(tx, { type: 'mfa_verified', risk: 'low', userId, request, details: method });
      await audit.append(tx, { type: 'auth_success', risk: 'low', userId, request, details: method });
    }
    return { passkey, recoveryCodes, account, isRedeemed };
  }

  async #lane(who: Enroller, open: (token: string) => Promise<MfaTicket>): Promise<Lane> {
    if (who.mfaToken != null) {
      const ticket = await open(who.mfaToken);
      return { userId: ticket.account.user_id, ticket };
    }
    if (who.userId === undefined) throw authenticationRequired();
    return { userId: who.userId };
  }
}

export const enrollment: Token<Enrollment> = createToken('kernel.passkey-enrollment');

/** Binds a challenge to its lane, because the lanes require different proofs. */
function purposeOf({ userId, ticket }: Lane): Purpose {
  return { flow: 'reg', userId, ...(ticket === undefined ? {} : { jti: ticket.jti }) };
}

/** Normalizes the name of a passkey: no control characters, limited length. */
function nameOf(given: string | null | undefined): string {
  const plain = (given ?? '').replaceAll(/\p{Cc}/gu, '').trim();
  return [...plain].slice(0, maxNameCharacters).join('').trim() || defaultName;
}
