export { createMailer, type Mailer } from './mailer.ts';
export { type MailSettings, parseMailSettings } from './settings.ts';
export { checkSmtp, MailError } from './smtp.ts';
