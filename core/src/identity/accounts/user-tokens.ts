import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { RequestFacts } from '../../audit/security-audit.ts';
import type { KernelUserToken } from '../../rows.gen.ts';
import { sha256 } from '../../schema/canonical.ts';
import type { Transaction } from '../../store/store.ts';

/** The purpose of a mailed link. */
export type UserTokenType = 'email_verification' | 'password_reset';

/** The lifetime of a link, in seconds (platform ). */
const lifetimeSeconds: Readonly<Record<UserTokenType, number>> = {
  email_verification: 86_400,
  password_reset: 3_600,
};

const tokenBytes = 32;
const maxUserAgentCharacters = 500;

/** The owner of a link. */
export type TokenOwner = Pick<KernelUserToken, 'user_id' | 'email'>;

/** Issues a token and invalidates the user's earlier one of that type; stores only its digest (platform A-15). */
export async function issueUserToken(
  tx: Transaction,
  type: UserTokenType,
  { owner, now, request }: { owner: TokenOwner; now: Date; request: RequestFacts },
): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url');
  // Serializes concurrent requests of one user, so that the last link is the valid one.
  await tx.query(sql`SELECT id FROM kernel_user WHERE id = ${owner.user_id} FOR UPDATE`);
  await dropUserTokens(tx, owner.user_id, type);
  await tx.query(sql`
    INSERT INTO kernel_user_token (token_hash, user_id, type, email, ip, user_agent, created_at, expires_at)
    VALUES (${digest(token)}, ${owner.user_id}, ${type}, ${owner.email}, ${request.ip ?? null},
      ${request.userAgent?.slice(0, maxUserAgentCharacters) ?? null}, ${now},
      ${new Date(now.getTime() + lifetimeSeconds[type] * 1000)})`);
  return token;
}

/** A link as somebody presents it. */
interface PresentedLink {
  readonly type: UserTokenType;
  readonly token: string;
  readonly now: Date;
}

function isValid({ type, token, now }: PresentedLink): RawBuilder<unknown> {
  return sql`t.token_hash = ${digest(token)} AND t.type = ${type} AND t.used_at IS NULL AND t.expires_at > ${now}`;
}

/** Returns the owner of a valid token without consuming it; undefined for any other text. */
export async function readUserToken(tx: Transaction, link: PresentedLink): Promise<TokenOwner | undefined> {
  const [row] = await tx.query<TokenOwner>(sql`
    SELECT t.user_id, t.email FROM kernel_user_token t JOIN kernel_user u ON u.id = t.user_id AND u.email = t.email
    WHERE ${isValid(link)} AND u.is_active`);
  return row;
}

/** Consumes a token in one statement, so that only one of two concurrent callers gets its owner. */
export async function takeUserToken(tx: Transaction, link: PresentedLink): Promise<TokenOwner | undefined> {
  const [row] = await tx.query<TokenOwner>(sql`
    UPDATE kernel_user_token t SET used_at = ${link.now} FROM kernel_user u
    WHERE ${isValid(link)}
      AND u.id = t.user_id AND u.email = t.email AND u.is_active
    RETURNING t.user_id, t.email`);
  return row;
}

/** Invalidates the unused links of a user. */
export async function dropUserTokens(tx: Transaction, userId: string, type: UserTokenType): Promise<void> {
  await tx.query(sql`DELETE FROM kernel_user_token WHERE user_id = ${userId} AND type = ${type} AND used_at IS NULL`);
}

function digest(token: string): string {
  return sha256(token);
}
