// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '../define/plugin.ts';
import checkPasswordStrength from './routes/check-password-strength.ts';
import completeSsoAuth from './routes/complete-sso-auth.ts';
import createOrgInvitation from './routes/create-org-invitation.ts';
import createUserApiKey from './routes/create-user-api-key.ts';
import deleteUserPasskey from './routes/delete-user-passkey.ts';
import forgotPassword from './routes/forgot-password.ts';
import generateSsoToken from './routes/generate-sso-token.ts';
import getAuthProviders from './routes/get-auth-providers.ts';
import getCaptchaConfig from './routes/get-captcha-config.ts';
import getCurrentAuthUser from './routes/get-current-auth-user.ts';
import getCurrentUser from './routes/get-current-user.ts';
import getInvitationPreview from './routes/get-invitation-preview.ts';
import getMfaOptions from './routes/get-mfa-options.ts';
import getMfaStatus from './routes/get-mfa-status.ts';
import getOrgLimits from './routes/get-org-limits.ts';
import getOrg from './routes/get-org.ts';
import getPasskeyLoginOptions from './routes/get-passkey-login-options.ts';
import getPasskeyReauthOptions from './routes/get-passkey-reauth-options.ts';
import getPasskeyRegistrationOptions from './routes/get-passkey-registration-options.ts';
import getPasswordPolicy from './routes/get-password-policy.ts';
import listOrgGraphs from './routes/list-org-graphs.ts';
import listOrgInvitations from './routes/list-org-invitations.ts';
import listOrgMembers from './routes/list-org-members.ts';
import listUserApiKeys from './routes/list-user-api-keys.ts';
import listUserOauthGrants from './routes/list-user-oauth-grants.ts';
import listUserOrgs from './routes/list-user-orgs.ts';
import listUserPasskeys from './routes/list-user-passkeys.ts';
import loginUser from './routes/login-user.ts';
import logoutUser from './routes/logout-user.ts';
import refreshAuthSession from './routes/refresh-auth-session.ts';
import regenerateMfaRecoveryCodes from './routes/regenerate-mfa-recovery-codes.ts';
import registerUser from './routes/register-user.ts';
import removeOrgMember from './routes/remove-org-member.ts';
import resendOrgInvitation from './routes/resend-org-invitation.ts';
import resendVerificationEmail from './routes/resend-verification-email.ts';
import resetPassword from './routes/reset-password.ts';
import revokeOrgInvitation from './routes/revoke-org-invitation.ts';
import revokeUserApiKey from './routes/revoke-user-api-key.ts';
import revokeUserOauthGrant from './routes/revoke-user-oauth-grant.ts';
import ssoTokenExchange from './routes/sso-token-exchange.ts';
import updateOrgMemberRole from './routes/update-org-member-role.ts';
import updateOrg from './routes/update-org.ts';
import updateUserApiKey from './routes/update-user-api-key.ts';
import updateUserPassword from './routes/update-user-password.ts';
import updateUser from './routes/update-user.ts';
import validateResetToken from './routes/validate-reset-token.ts';
import verifyEmail from './routes/verify-email.ts';
import verifyMfa from './routes/verify-mfa.ts';
import verifyPasskeyLogin from './routes/verify-passkey-login.ts';
import verifyPasskeyRegistration from './routes/verify-passkey-registration.ts';
import removeExpiredSessions from './jobs/remove-expired-sessions.ts';
import sendMail from './jobs/send-mail.ts';
import sendResetLink from './jobs/send-reset-link.ts';
import mailQueuedEvent from './events/mail-queued.ts';
import passwordResetAskedEvent from './events/password-reset-asked.ts';

export const all = {
  routes: [checkPasswordStrength, completeSsoAuth, createOrgInvitation, createUserApiKey, deleteUserPasskey, forgotPassword, generateSsoToken, getAuthProviders, getCaptchaConfig, getCurrentAuthUser, getCurrentUser, getInvitationPreview, getMfaOptions, getMfaStatus, getOrgLimits, getOrg, getPasskeyLoginOptions, getPasskeyReauthOptions, getPasskeyRegistrationOptions, getPasswordPolicy, listOrgGraphs, listOrgInvitations, listOrgMembers, listUserApiKeys, listUserOauthGrants, listUserOrgs, listUserPasskeys, loginUser, logoutUser, refreshAuthSession, regenerateMfaRecoveryCodes, registerUser, removeOrgMember, resendOrgInvitation, resendVerificationEmail, resetPassword, revokeOrgInvitation, revokeUserApiKey, revokeUserOauthGrant, ssoTokenExchange, updateOrgMemberRole, updateOrg, updateUserApiKey, updateUserPassword, updateUser, validateResetToken, verifyEmail, verifyMfa, verifyPasskeyLogin, verifyPasskeyRegistration],
  jobs: [removeExpiredSessions, sendMail, sendResetLink],
  events: [mailQueuedEvent, passwordResetAskedEvent],
} as const satisfies PluginParts;
