export { createMailer, type Mail, type Mailer } from './mailer.ts';
export { type MailSettings, parseMailSettings } from '../../../base/mail-settings.ts';
export { checkSmtp, MailError } from './smtp.ts';
