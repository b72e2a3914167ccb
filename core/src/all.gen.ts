// Written by `npm run gen`. Do not edit.
import type { PluginParts } from './define/plugin.ts';
import createGraph from './operations/create-graph.ts';
import hello from './queries/hello.ts';
import addGraphMember from './routes/add-graph-member.ts';
import cancelOperation from './routes/cancel-operation.ts';
import checkPasswordStrength from './routes/check-password-strength.ts';
import completeSsoAuth from './routes/complete-sso-auth.ts';
import createOrgInvitation from './routes/create-org-invitation.ts';
import createUserApiKey from './routes/create-user-api-key.ts';
import forgotPassword from './routes/forgot-password.ts';
import generateSsoToken from './routes/generate-sso-token.ts';
import getAuthProviders from './routes/get-auth-providers.ts';
import getAvailableExtensions from './routes/get-available-extensions.ts';
import getAvailableGraphTiers from './routes/get-available-graph-tiers.ts';
import getCaptchaConfig from './routes/get-captcha-config.ts';
import getCurrentAuthUser from './routes/get-current-auth-user.ts';
import getCurrentUser from './routes/get-current-user.ts';
import getGraphCapacity from './routes/get-graph-capacity.ts';
import getGraphs from './routes/get-graphs.ts';
import getInvitationPreview from './routes/get-invitation-preview.ts';
import getLiveness from './routes/get-liveness.ts';
import getMetrics from './routes/get-metrics.ts';
import getOperationStatus from './routes/get-operation-status.ts';
import getOrgLimits from './routes/get-org-limits.ts';
import getOrg from './routes/get-org.ts';
import getPasswordPolicy from './routes/get-password-policy.ts';
import getReadiness from './routes/get-readiness.ts';
import getServiceStatus from './routes/get-service-status.ts';
import listGraphMembers from './routes/list-graph-members.ts';
import listOrgGraphs from './routes/list-org-graphs.ts';
import listOrgInvitations from './routes/list-org-invitations.ts';
import listOrgMembers from './routes/list-org-members.ts';
import listUserApiKeys from './routes/list-user-api-keys.ts';
import listUserOauthGrants from './routes/list-user-oauth-grants.ts';
import listUserOrgs from './routes/list-user-orgs.ts';
import loginUser from './routes/login-user.ts';
import logoutUser from './routes/logout-user.ts';
import refreshAuthSession from './routes/refresh-auth-session.ts';
import registerUser from './routes/register-user.ts';
import removeGraphMember from './routes/remove-graph-member.ts';
import removeOrgMember from './routes/remove-org-member.ts';
import resendOrgInvitation from './routes/resend-org-invitation.ts';
import resendVerificationEmail from './routes/resend-verification-email.ts';
import resetPassword from './routes/reset-password.ts';
import resumeOperation from './routes/resume-operation.ts';
import revokeOrgInvitation from './routes/revoke-org-invitation.ts';
import revokeUserApiKey from './routes/revoke-user-api-key.ts';
import revokeUserOauthGrant from './routes/revoke-user-oauth-grant.ts';
import selectGraph from './routes/select-graph.ts';
import ssoTokenExchange from './routes/sso-token-exchange.ts';
import streamOperationEvents from './routes/stream-operation-events.ts';
import updateGraphMemberRole from './routes/update-graph-member-role.ts';
import updateOrgMemberRole from './routes/update-org-member-role.ts';
import updateOrg from './routes/update-org.ts';
import updateUserApiKey from './routes/update-user-api-key.ts';
import updateUserPassword from './routes/update-user-password.ts';
import updateUser from './routes/update-user.ts';
import validateResetToken from './routes/validate-reset-token.ts';
import verifyEmail from './routes/verify-email.ts';
import cancelOrphanedRuns from './jobs/cancel-orphaned-runs.ts';
import removeExpired from './jobs/remove-expired.ts';
import sendMail from './jobs/send-mail.ts';
import sendResetLink from './jobs/send-reset-link.ts';
import graphCreatedEvent from './events/graph-created.ts';
import graphMemberChangedEvent from './events/graph-member-changed.ts';
import mailQueuedEvent from './events/mail-queued.ts';
import orgMemberAddedEvent from './events/org-member-added.ts';
import orgMemberRemovedEvent from './events/org-member-removed.ts';
import passwordResetAskedEvent from './events/password-reset-asked.ts';
import userDeactivatedEvent from './events/user-deactivated.ts';
import userRegisteredEvent from './events/user-registered.ts';

export const all = {
  operations: [createGraph],
  queries: [hello],
  routes: [addGraphMember, cancelOperation, checkPasswordStrength, completeSsoAuth, createOrgInvitation, createUserApiKey, forgotPassword, generateSsoToken, getAuthProviders, getAvailableExtensions, getAvailableGraphTiers, getCaptchaConfig, getCurrentAuthUser, getCurrentUser, getGraphCapacity, getGraphs, getInvitationPreview, getLiveness, getMetrics, getOperationStatus, getOrgLimits, getOrg, getPasswordPolicy, getReadiness, getServiceStatus, listGraphMembers, listOrgGraphs, listOrgInvitations, listOrgMembers, listUserApiKeys, listUserOauthGrants, listUserOrgs, loginUser, logoutUser, refreshAuthSession, registerUser, removeGraphMember, removeOrgMember, resendOrgInvitation, resendVerificationEmail, resetPassword, resumeOperation, revokeOrgInvitation, revokeUserApiKey, revokeUserOauthGrant, selectGraph, ssoTokenExchange, streamOperationEvents, updateGraphMemberRole, updateOrgMemberRole, updateOrg, updateUserApiKey, updateUserPassword, updateUser, validateResetToken, verifyEmail],
  jobs: [cancelOrphanedRuns, removeExpired, sendMail, sendResetLink],
  events: [graphCreatedEvent, graphMemberChangedEvent, mailQueuedEvent, orgMemberAddedEvent, orgMemberRemovedEvent, passwordResetAskedEvent, userDeactivatedEvent, userRegisteredEvent],
} as const satisfies PluginParts;
