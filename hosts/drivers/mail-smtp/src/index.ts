export { type SmtpMailOptions, smtpMail } from './smtp-mail.ts';
