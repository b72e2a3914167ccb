/** A kind of caller, relative to one organization and one of its graphs. */
export type CallerKind =
  | 'anonymous'
  /** Signed in, owner of another organization. */
  | 'stranger'
  /** Members of the organization with this grant. */
  | 'viewer'
  | 'member'
  | 'graph_admin'
  | 'org_admin'
  | 'org_owner';

/** The callers admitted to an endpoint (platform section 7). */
export type Access =
  /** No credential is required. */
  | 'anybody'
  /** The request authenticates itself by its body or by a special token. */
  | 'proof_inside'
  /** Every signed-in user, but no key bound to a graph (platform K-3). */
  | 'account'
  /** Every signed-in user, including by a key bound to a graph (platform K-3). */
  | 'account_or_bound_key'
  /** Owners and admins of any organization. */
  | 'graph_creator'
  | 'graph_viewer'
  | 'graph_member'
  | 'graph_admin'
  /** Admins of the graph who own the organization. */
  | 'graph_owner'
  | 'org_member'
  | 'org_admin'
  | 'org_owner'
  /** Depends on the caller's purchases instead of a role; always requires a credential. */
  | 'subscriber';

const team = ['viewer', 'member', 'graph_admin', 'org_admin', 'org_owner'] as const;
const graphAdmins = ['graph_admin', 'org_admin', 'org_owner'] as const;
const orgManagers = ['org_admin', 'org_owner'] as const;
const signedIn = ['stranger', ...team] as const;

/** The callers that each kind of access admits; others get 401 without a credential and 403 with one. */
export const admitted: Readonly<Record<Access, readonly CallerKind[]>> = {
  anybody: ['anonymous', ...signedIn],
  proof_inside: ['anonymous', ...signedIn],
  account: signedIn,
  account_or_bound_key: signedIn,
  graph_creator: ['stranger', ...orgManagers],
  graph_viewer: team,
  graph_member: ['member', ...graphAdmins],
  graph_admin: graphAdmins,
  graph_owner: ['org_owner'],
  org_member: team,
  org_admin: orgManagers,
  org_owner: ['org_owner'],
  subscriber: signedIn,
};

/** One row of the matrix: its rule, the admitted callers and the endpoints. */
export interface PermissionRow {
  readonly rule: string;
  readonly access: Access;
  /** Method and path template of endpoints; `*` matches any characters, `ANY` for every method. */
  readonly endpoints: readonly string[];
}

const graph = '/v1/graphs/{graph_id}';
const org = '/v1/orgs/{org_id}';
const billing = '/v1/billing';
const run = '/v1/operations/{operation_id}';

/** The matrix. The first row with a matching endpoint applies, so exceptions precede their general rule. */
export const permissionMatrix: readonly PermissionRow[] = [
  {
    rule: 'platform H-3',
    access: 'anybody',
    endpoints: ['GET /livez', 'GET /metrics', 'GET /readyz', 'GET /v1/status'],
  },
  // The optional explorer page has no data; its queries are checked.
  { rule: 'platform E-21', access: 'anybody', endpoints: ['GET /extensions/{graph_id}/graphql'] },
  {
    rule: 'platform T-2, F-1, A-22, A-24, U-22',
    access: 'anybody',
    endpoints: [
      'GET /v1/offering',
      'GET /v1/auth/providers',
      'GET /v1/auth/captcha/config',
      'GET /v1/auth/password/policy',
      'GET /v1/auth/password/reset/validate',
      'POST /v1/auth/password/check',
      'GET /v1/auth/invitations/{token}',
    ],
  },
  {
    rule: 'ai-surface O-1, O-2',
    access: 'anybody',
    endpoints: ['GET /.well-known/oauth-authorization-server', 'GET /.well-known/oauth-protected-resource*'],
  },
  {
    // Clients prove themselves by a code, a token or a secret in the body. A decision requires a session, and the id of a
    // request that is another user's is unknown. Messages of MCP are read before their credentials (ai-surface M-2 to M-4).
    rule: 'ai-surface O-10 to O-36, M-1 to M-6',
    access: 'proof_inside',
    endpoints: ['ANY /v1/oauth/*', 'ANY /v1/mcp*', `ANY ${graph}/mcp`],
  },
  {
    rule: 'platform A-8 to A-21, M-1 to M-19, F-5',
    access: 'proof_inside',
    endpoints: [
      'POST /v1/auth/register',
      'POST /v1/auth/login',
      'POST /v1/auth/logout',
      'POST /v1/auth/refresh',
      'POST /v1/auth/email/verify',
      'POST /v1/auth/password/forgot',
      'POST /v1/auth/password/reset',
      'POST /v1/auth/mfa/options',
      'POST /v1/auth/mfa/verify',
      'POST /v1/auth/passkeys/login/*',
      'POST /v1/auth/passkeys/register/*',
      'POST /v1/auth/sso-exchange',
      'POST /v1/auth/sso-complete',
      // Pages and messages of payment providers, by the id of a checkout or a signature (platform B-32).
      'ANY /_billing/*',
      'POST /admin/v1/webhooks/{provider}',
      // Files by the token of a granted URL (graphs F-3, B-10).
      'PUT /uploads/{token}',
      'GET /downloads/{token}',
    ],
  },
  {
    rule: 'platform K-3, P-23',
    access: 'account_or_bound_key',
    endpoints: ['GET /v1/user', 'GET /v1/graphs', `ANY ${run}*`],
  },
  {
    rule: 'platform A-3, A-16, A-27, A-28, K-1 to K-8, M-12, U-1, T-4, T-8',
    access: 'account',
    endpoints: [
      'ANY /v1/auth/*',
      'ANY /v1/user/*',
      'PUT /v1/user',
      'GET /v1/orgs',
      'GET /v1/graphs/tiers',
      'GET /v1/graphs/capacity',
      'GET /v1/graphs/extensions',
      'GET /v1/instruments',
      'GET /v1/instruments/{security_type}',
      'POST /v1/graphs/schema/validate',
    ],
  },
  { rule: 'platform P-2', access: 'graph_creator', endpoints: ['POST /v1/graphs'] },
  {
    rule: 'platform P-18',
    access: 'org_owner',
    endpoints: [
      `POST ${billing}/customer/{org_id}/portal`,
      `POST ${billing}/subscriptions/{org_id}/subscription/{subscription_id}/cancel`,
    ],
  },
  { rule: 'platform P-19', access: 'org_admin', endpoints: [`GET ${billing}/invoices/{org_id}*`, `GET ${org}/usage`] },
  {
    rule: 'platform P-20',
    access: 'org_member',
    endpoints: [`GET ${billing}/subscriptions/{org_id}*`, `GET ${billing}/customer/{org_id}`],
  },
  // A checkout names its organization in the body, and a session belongs to one.
  {
    rule: 'platform P-18, P-20',
    access: 'account',
    endpoints: [`POST ${billing}/checkout`, `GET ${billing}/checkout/*`],
  },
  { rule: 'platform P-21, P-22', access: 'subscriber', endpoints: [`ANY ${graph}/subscriptions*`] },
  {
    rule: 'platform U-2, U-6, U-20',
    access: 'org_admin',
    endpoints: [`PUT ${org}`, `PUT ${org}/members/{user_id}`, `ANY ${org}/invitations*`],
  },
  // The rule covers members who remove themselves; removing anybody else requires an admin (platform U-7).
  { rule: 'platform U-7', access: 'org_admin', endpoints: [`DELETE ${org}/members/{user_id}`] },
  {
    rule: 'platform P-20, U-5',
    access: 'org_member',
    endpoints: [`GET ${org}`, `GET ${org}/members`, `GET ${org}/graphs`, `GET ${org}/limits`],
  },
  {
    rule: 'platform P-16, P-17',
    access: 'graph_owner',
    endpoints: [`POST ${graph}/operations/change-tier`, `POST ${graph}/operations/delete-graph`],
  },
  {
    rule: 'platform P-15',
    access: 'graph_admin',
    endpoints: [
      `POST ${graph}/operations/delete-subgraph`,
      `POST ${graph}/operations/create-backup`,
      `POST ${graph}/operations/restore-backup`,
      `POST ${graph}/operations/update-graph-metadata`,
      `POST ${graph}/operations/add-extension`,
      `GET ${graph}/backups/{backup_id}/download`,
      `POST ${graph}/members`,
      `ANY ${graph}/members/{user_id}`,
      `POST ${graph}/connections`,
      `POST ${graph}/connections/oauth/*`,
      `DELETE ${graph}/connections/{connection_id}`,
      `PUT ${graph}/connections/{connection_id}/write-policy`,
      'POST /extensions/*/{graph_id}/operations/change-reporting-style',
      'POST /extensions/*/{graph_id}/operations/unblock-source-graph',
      'POST /extensions/*/{graph_id}/operations/update-share-settings',
    ],
  },
  {
    rule: 'platform P-11',
    access: 'graph_viewer',
    endpoints: [
      'live-financial-statement',
      'build-fact-grid',
      'financial-statement-analysis',
      'information-block',
      'disclosures',
      'preview-event-block',
      'preview-reconciling-item',
    ].map((view) => `POST /extensions/*/{graph_id}/operations/${view}`),
  },
  {
    rule: 'platform P-12, P-13, P-14',
    access: 'graph_member',
    endpoints: [
      'POST /extensions/*/{graph_id}/operations/*',
      `POST ${graph}/operations/*`,
      `POST ${graph}/operator*`,
      `POST ${graph}/connections/{connection_id}/sync`,
    ],
  },
  {
    rule: 'platform P-10',
    access: 'graph_viewer',
    endpoints: [
      'POST /extensions/{graph_id}/graphql',
      `GET ${graph}/*`,
      `POST ${graph}/query/*`,
      `POST ${graph}/search`,
      `POST ${graph}/memory/recall`,
      `POST ${graph}/select`,
    ],
  },
];

/** Returns the row of an endpoint; undefined if the matrix omits it, which is a defect. */
export function permissionOf(method: string, path: string): PermissionRow | undefined {
  return permissionMatrix.find(({ endpoints }) => endpoints.some((pattern) => fits(pattern, method, path)));
}

function fits(pattern: string, method: string, path: string): boolean {
  const [methods = '', template = ''] = pattern.split(' ');
  if (methods !== 'ANY' && methods !== method) return false;
  const parts = template.split('*').map((part) => part.replaceAll(/[.\\?+^$()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(path);
}
