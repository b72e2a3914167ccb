/** The identity with accounts: its contribution to a deployment, and its services for plugins that extend it. */
export { accountIdentity } from './account-identity.ts';
export { hasAccounts, trustEmail } from './accounts/account-rows.ts';
export { type BruteForce, bruteForce } from './accounts/brute-force.ts';
export { type Captcha, captcha } from './accounts/captcha.ts';
export { type EmailVerification, emailVerification } from './accounts/email-verification.ts';
export { type IdentityLinks, identityLinks, type LinkedIdentity } from './accounts/profile.ts';
export { type Reauthentication, reauthentication } from './accounts/reauthentication.ts';
export { type MailQueue, mailQueue } from './mails/mail-queue.ts';
export { type AuthSettings, authSettings, checkAuthSettings } from './sessions/auth-settings.ts';
export { type Bridge, bridge } from './sessions/bridge.ts';
