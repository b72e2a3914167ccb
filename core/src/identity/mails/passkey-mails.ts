import type { MailMessage } from '../../mail/mail.ts';

/** The recipient and the address of the deployment. */
interface Notice {
  readonly to: string;
  readonly publicUrl: string;
}

/** Notifies a user of a new passkey (platform M-13). */
export function passkeyEnrolledMail({ to, publicUrl, name }: Notice & { readonly name: string }): MailMessage {
  return {
    to,
    subject: 'A passkey was added to your account',
    text: lines(
      `The passkey "${name}" can now sign in to your account.`,
      `If you did not add it, sign in at ${publicUrl}, remove it and change your password immediately.`,
    ),
  };
}

/** Notifies a user of a removed passkey (platform M-13). */
export function passkeyRemovedMail({ to, publicUrl, name }: Notice & { readonly name: string }): MailMessage {
  return {
    to,
    subject: 'A passkey was removed from your account',
    text: lines(
      `The passkey "${name}" can no longer sign in to your account.`,
      `If you did not remove it, sign in at ${publicUrl} and change your password immediately.`,
    ),
  };
}

/** Notifies a user that a recovery code was used (platform M-5). */
export function recoveryCodeUsedMail({ to, publicUrl, left }: Notice & { readonly left: number }): MailMessage {
  return {
    to,
    subject: 'A recovery code was used to sign in',
    text: lines(
      `Your password and a recovery code were used to sign in. Unused codes: ${left}.`,
      `If this was not you, reset your password immediately: ${publicUrl}/auth/forgot-password`,
    ),
  };
}

/** Notifies a user that the earlier recovery codes are invalid (platform M-18). */
export function recoveryCodesReplacedMail({ to, publicUrl }: Notice): MailMessage {
  return {
    to,
    subject: 'Your recovery codes were replaced',
    text: lines(
      'New recovery codes were created for your account. The earlier codes no longer work.',
      `If this was not you, reset your password immediately: ${publicUrl}/auth/forgot-password`,
    ),
  };
}

function lines(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
