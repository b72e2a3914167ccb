import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { RequestFacts } from '../audit/security-audit.ts';
import { sha256 } from '../schema/canonical.ts';
import type { Transaction } from '../store/store.ts';

/** What a mailed link is for. */
export type UserTokenType = 'email_verification' | 'password_reset';

/** How long a link works, in seconds (platform ). */
const lifetimeSeconds: Readonly<Record<UserTokenType, number>> = {
  email_verification: 86_400,
  password_reset: 3_600,
};

const tokenBytes = 32;
const maxUserAgentCharacters = 500;

/** Whose link it is. */
export interface TokenOwner {
  readonly user_id: string;
  readonly email: string;
}

/** Makes a token and kills the user's earlier one of that type; only its digest is stored (platform A-15). */
export async function issueUserToken(
  tx: Transaction,
  type: UserTokenType,
  { owner, now, request }: { owner: TokenOwner; now: Date; request: RequestFacts },
): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url');
  // Parallel requests of one user take turns, so that the last link is the live one.
  await tx.query(sql`SELECT id FROM kernel_user WHERE id = ${owner.user_id} FOR UPDATE`);
  await dropUserTokens(tx, owner.user_id, type);
  await tx.query(sql`
    INSERT INTO kernel_user_token (token_hash, user_id, type, email, ip, user_agent, created_at, expires_at)
    VALUES (${digest(token)}, ${owner.user_id}, ${type}, ${owner.email}, ${request.ip ?? null},
      ${request.userAgent?.slice(0, maxUserAgentCharacters) ?? null}, ${now},
      ${new Date(now.getTime() + lifetimeSeconds[type] * 1000)})`);
  return token;
}

/** The owner of a token that still works, without using it up; undefined for every other text. */
export async function readUserToken(
  tx: Transaction,
  { type, token, now }: { type: UserTokenType; token: string; now: Date },
): Promise<TokenOwner | undefined> {
  const [row] = await tx.query<TokenOwner>(sql`
    SELECT t.user_id, t.email FROM kernel_user_token t JOIN kernel_user u ON u.id = t.user_id AND u.email = t.email
    WHERE t.token_hash = ${digest(token)} AND t.type = ${type} AND t.used_at IS NULL AND t.expires_at > ${now}
      AND u.is_active`);
  return row;
}

/** Uses a token up in one statement: of two callers at once, one gets its owner. */
export async function takeUserToken(
  tx: Transaction,
  { type, token, now }: { type: UserTokenType; token: string; now: Date },
): Promise<TokenOwner | undefined> {
  const [row] = await tx.query<TokenOwner>(sql`
    UPDATE kernel_user_token t SET used_at = ${now} FROM kernel_user u
    WHERE t.token_hash = ${digest(token)} AND t.type = ${type} AND t.used_at IS NULL AND t.expires_at > ${now}
      AND u.id = t.user_id AND u.email = t.email AND u.is_active
    RETURNING t.user_id, t.email`);
  return row;
}

/** Kills the links of a user that nobody has followed yet. */
export async function dropUserTokens(tx: Transaction, userId: string, type: UserTokenType): Promise<void> {
  await tx.query(sql`DELETE FROM kernel_user_token WHERE user_id = ${userId} AND type = ${type} AND used_at IS NULL`);
}

function digest(token: string): string {
  return sha256(token);
}
