// Written by `npm run gen`. Do not edit.
import type { PluginParts } from './define/plugin.ts';
import createGraph from './operations/create-graph.ts';
import hello from './queries/hello.ts';
import cancelOperation from './routes/cancel-operation.ts';
import checkPasswordStrength from './routes/check-password-strength.ts';
import completeSsoAuth from './routes/complete-sso-auth.ts';
import createUserApiKey from './routes/create-user-api-key.ts';
import forgotPassword from './routes/forgot-password.ts';
import generateSsoToken from './routes/generate-sso-token.ts';
import getAuthProviders from './routes/get-auth-providers.ts';
import getAvailableExtensions from './routes/get-available-extensions.ts';
import getAvailableGraphTiers from './routes/get-available-graph-tiers.ts';
import getCaptchaConfig from './routes/get-captcha-config.ts';
import getCurrentAuthUser from './routes/get-current-auth-user.ts';
import getCurrentUser from './routes/get-current-user.ts';
import getGraphs from './routes/get-graphs.ts';
import getLiveness from './routes/get-liveness.ts';
import getMetrics from './routes/get-metrics.ts';
import getOperationStatus from './routes/get-operation-status.ts';
import getOrg from './routes/get-org.ts';
import getPasswordPolicy from './routes/get-password-policy.ts';
import getReadiness from './routes/get-readiness.ts';
import getServiceStatus from './routes/get-service-status.ts';
import listOrgGraphs from './routes/list-org-graphs.ts';
import listOrgMembers from './routes/list-org-members.ts';
import listUserApiKeys from './routes/list-user-api-keys.ts';
import listUserOrgs from './routes/list-user-orgs.ts';
import loginUser from './routes/login-user.ts';
import logoutUser from './routes/logout-user.ts';
import refreshAuthSession from './routes/refresh-auth-session.ts';
import registerUser from './routes/register-user.ts';
import resendVerificationEmail from './routes/resend-verification-email.ts';
import resetPassword from './routes/reset-password.ts';
import resumeOperation from './routes/resume-operation.ts';
import revokeUserApiKey from './routes/revoke-user-api-key.ts';
import selectGraph from './routes/select-graph.ts';
import ssoTokenExchange from './routes/sso-token-exchange.ts';
import streamOperationEvents from './routes/stream-operation-events.ts';
import updateUserApiKey from './routes/update-user-api-key.ts';
import updateUserPassword from './routes/update-user-password.ts';
import updateUser from './routes/update-user.ts';
import validateResetToken from './routes/validate-reset-token.ts';
import verifyEmail from './routes/verify-email.ts';
import removeExpired from './jobs/remove-expired.ts';
import sendMail from './jobs/send-mail.ts';
import sendResetLink from './jobs/send-reset-link.ts';
import mailQueuedEvent from './events/mail-queued.ts';
import passwordResetAskedEvent from './events/password-reset-asked.ts';

export const all = {
  operations: [createGraph],
  queries: [hello],
  routes: [cancelOperation, checkPasswordStrength, completeSsoAuth, createUserApiKey, forgotPassword, generateSsoToken, getAuthProviders, getAvailableExtensions, getAvailableGraphTiers, getCaptchaConfig, getCurrentAuthUser, getCurrentUser, getGraphs, getLiveness, getMetrics, getOperationStatus, getOrg, getPasswordPolicy, getReadiness, getServiceStatus, listOrgGraphs, listOrgMembers, listUserApiKeys, listUserOrgs, loginUser, logoutUser, refreshAuthSession, registerUser, resendVerificationEmail, resetPassword, resumeOperation, revokeUserApiKey, selectGraph, ssoTokenExchange, streamOperationEvents, updateUserApiKey, updateUserPassword, updateUser, validateResetToken, verifyEmail],
  jobs: [removeExpired, sendMail, sendResetLink],
  events: [mailQueuedEvent, passwordResetAskedEvent],
} as const satisfies PluginParts;
