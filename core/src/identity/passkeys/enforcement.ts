import type { OrgRole } from '../../define/context.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';

/** True if this deployment requires a passkey for the role (platform M-2, M-19). */
export function isMfaEnforced(settings: KernelSettings, role: OrgRole | null): boolean {
  const { passkeys, mfaEnforcement } = settings.auth;
  return passkeys && mfaEnforcement && (role === 'owner' || role === 'admin');
}
