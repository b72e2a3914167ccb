import type { MailMessage } from '../../mail/mail.ts';

/** A mailed link to a page of the deployment's front end, with the token in its query. */
interface MailedLink {
  readonly to: string;
  readonly publicUrl: string;
  readonly token: string;
}

/** Asks a user to open a link that proves their address (platform A-15). */
export function verificationMail({ to, publicUrl, token }: MailedLink): MailMessage {
  return {
    to,
    subject: 'Please verify your email address',
    text: lines(
      'This address was entered for an account. Open this link within 24 hours to verify it:',
      `${publicUrl}/auth/verify-email?token=${token}`,
      'If this was not you, ignore this message: the address stays unverified.',
    ),
  };
}

/** Lets the owner of an address choose a new password (platform A-17). */
export function resetMail({ to, publicUrl, token }: MailedLink): MailMessage {
  return {
    to,
    subject: 'Reset your password',
    text: lines(
      'A new password was requested for your account. Open this link within an hour to choose one:',
      `${publicUrl}/auth/reset-password?token=${token}`,
      'If this was not you, ignore this message: your password stays unchanged.',
    ),
  };
}

/** Notifies a user of a changed password (platform A-19). */
export function passwordChangedMail(to: string, publicUrl: string): MailMessage {
  return {
    to,
    subject: 'Your password was changed',
    text: lines(
      'The password of your account was changed, and all sessions were signed out.',
      `If this was not you, reset it immediately: ${publicUrl}/auth/forgot-password`,
    ),
  };
}

/** Notifies the old address that the account has a new one (platform A-28). */
export function emailChangedMail(to: string, publicUrl: string): MailMessage {
  return {
    to,
    subject: 'The email address of your account was changed',
    text: lines(
      'The email address of your account was changed, and all sessions were signed out.',
      `If this was not you, contact the operator of ${publicUrl} immediately.`,
    ),
  };
}

function lines(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
