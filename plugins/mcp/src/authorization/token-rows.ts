import { columnsOf, noteAccessOfUsers, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { McpAuthorizationCode, McpToken, McpTokenFamily } from '../rows.gen.ts';
import { digestOf, newAccessToken, newRefreshToken } from './secrets.ts';

/** The lifetimes of tokens in seconds (O-32). */
export const accessSeconds = 3_600;
const refreshSeconds = 90 * 86_400;

const codeColumns = columnsOf<McpAuthorizationCode>()({
  clientId: 'client_id',
  userId: 'user_id',
  grantId: 'grant_id',
  redirectUri: 'redirect_uri',
  challenge: 'challenge',
  resource: 'resource',
  scope: 'scope',
  expiresAt: 'expires_at',
});
export type CodeRow = RowOf<typeof codeColumns>;

const familyColumns = columnsOf<McpTokenFamily>('f')({
  familyId: 'id',
  clientId: 'client_id',
  userId: 'user_id',
  grantId: 'grant_id',
  resource: 'resource',
  familyScope: 'scope',
  familyRevokedAt: 'revoked_at',
});
const tokenColumns = columnsOf<McpToken>('t')({
  kind: 'kind',
  scope: 'scope',
  expiresAt: 'expires_at',
  usedAt: 'used_at',
  revokedAt: 'revoked_at',
});
/** A token with its family. */
export type TokenRow = RowOf<typeof familyColumns> & RowOf<typeof tokenColumns>;

/** New tokens, shown to the client once. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scope: string;
}

/** The family of new tokens. */
export type NewFamily = Pick<CodeRow, 'clientId' | 'userId' | 'grantId' | 'resource' | 'scope'> & {
  readonly id: string;
  readonly codeDigest: string;
};

/** Takes a code: only one of several callers gets it, and the others wait until the first has finished (O-25). */
export async function takeCode(tx: Transaction, digest: string, now: Date): Promise<CodeRow | undefined> {
  const [row] = await tx.query(sql<CodeRow>`
    UPDATE mcp_authorization_code SET taken_at = ${now} WHERE digest = ${digest} AND taken_at IS NULL
    RETURNING ${codeColumns}`);
  return row;
}

/** Returns the family of a redeemed code. */
export async function familyOfCode(
  tx: Transaction,
  codeDigest: string,
): Promise<RowOf<typeof familyColumns> | undefined> {
  const [row] = await tx.query(sql<RowOf<typeof familyColumns>>`
    SELECT ${familyColumns} FROM mcp_token_family f WHERE f.code_digest = ${codeDigest}`);
  return row;
}

/** Returns a token by its digest, in one indexed read. */
export async function tokenByDigest(tx: Transaction, digest: string): Promise<TokenRow | undefined> {
  const [row] = await tx.query(sql<TokenRow>`
    SELECT ${familyColumns}, ${tokenColumns} FROM mcp_token t JOIN mcp_token_family f ON f.id = t.family_id
    WHERE t.digest = ${digest}`);
  return row;
}

/** Returns the grant of a live access token of an active client, in one indexed read (O-40). */
export async function liveAccess(
  tx: Transaction,
  digest: string,
  now: Date,
): Promise<Pick<TokenRow, 'grantId' | 'resource'> | undefined> {
  const [row] = await tx.query(sql<Pick<TokenRow, 'grantId' | 'resource'>>`
    SELECT f.grant_id AS "grantId", f.resource
    FROM mcp_token t
    JOIN mcp_token_family f ON f.id = t.family_id
    JOIN mcp_client c ON c.id = f.client_id
    WHERE t.digest = ${digest} AND t.kind = 'access' AND t.expires_at > ${now} AND t.revoked_at IS NULL
      AND f.revoked_at IS NULL AND c.is_active`);
  return row;
}

/** Uses a refresh token; false if it was used or revoked before, also by a call that runs now (O-34). */
export async function useRefreshToken(tx: Transaction, digest: string, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    UPDATE mcp_token SET used_at = ${now} WHERE digest = ${digest} AND used_at IS NULL AND revoked_at IS NULL
    RETURNING digest`);
  return rows.length > 0;
}

/** True if no token after the refresh token that was used at this time has been used. */
export async function isSuccessorUnused(tx: Transaction, familyId: string, usedAt: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    SELECT 1 AS found FROM mcp_token WHERE family_id = ${familyId} AND kind = 'refresh' AND created_at = ${usedAt}
      AND used_at IS NULL AND revoked_at IS NULL`);
  return rows.length > 0;
}

export async function insertFamily(tx: Transaction, family: NewFamily, now: Date): Promise<TokenPair> {
  await tx.query(sql`
    INSERT INTO mcp_token_family (id, code_digest, client_id, user_id, grant_id, resource, scope, created_at, expires_at)
    VALUES (${family.id}, ${family.codeDigest}, ${family.clientId}, ${family.userId}, ${family.grantId},
      ${family.resource}, ${family.scope}, ${now}, ${after(now, refreshSeconds)})`);
  return insertPair(tx, { familyId: family.id, scope: family.scope, now });
}

/** Replaces the tokens of a family: the earlier access token ends at once (O-35). */
export async function replacePair(
  tx: Transaction,
  of: { readonly familyId: string; readonly scope: string; readonly now: Date },
): Promise<TokenPair> {
  await tx.query(sql`
    UPDATE mcp_token SET revoked_at = ${of.now}
    WHERE family_id = ${of.familyId} AND kind = 'access' AND revoked_at IS NULL`);
  await tx.query(sql`
    UPDATE mcp_token_family SET expires_at = ${after(of.now, refreshSeconds)} WHERE id = ${of.familyId}`);
  return insertPair(tx, of);
}

/** Ends all tokens of a family. */
export async function revokeFamily(tx: Transaction, familyId: string, now: Date): Promise<void> {
  const ended = await tx.query(sql<Pick<McpTokenFamily, 'user_id'>>`
    UPDATE mcp_token_family SET revoked_at = ${now} WHERE id = ${familyId} AND revoked_at IS NULL
    RETURNING user_id`);
  await noteAccessOfUsers(
    tx,
    ended.map((family) => family.user_id),
  );
}

/** Ends one token. */
export async function revokeToken(tx: Transaction, digest: string, now: Date): Promise<void> {
  const ended = await tx.query(sql<Pick<McpTokenFamily, 'user_id'>>`
    UPDATE mcp_token t SET revoked_at = ${now} FROM mcp_token_family f
    WHERE t.digest = ${digest} AND t.revoked_at IS NULL AND f.id = t.family_id RETURNING f.user_id`);
  await noteAccessOfUsers(
    tx,
    ended.map((family) => family.user_id),
  );
}

async function insertPair(
  tx: Transaction,
  { familyId, scope, now }: { readonly familyId: string; readonly scope: string; readonly now: Date },
): Promise<TokenPair> {
  const [accessToken, refreshToken] = [newAccessToken(), newRefreshToken()];
  await tx.query(sql`
    INSERT INTO mcp_token (digest, family_id, kind, scope, created_at, expires_at)
    VALUES (${digestOf(accessToken)}, ${familyId}, 'access', ${scope}, ${now}, ${after(now, accessSeconds)}),
      (${digestOf(refreshToken)}, ${familyId}, 'refresh', ${scope}, ${now}, ${after(now, refreshSeconds)})`);
  return { accessToken, refreshToken, scope };
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
