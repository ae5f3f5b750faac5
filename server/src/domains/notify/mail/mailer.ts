/** Mail as the rest of the program sends it. */
import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Notification } from '../types.ts';
import { type Footer, renderMail } from './render.ts';
import type { MailSettings } from '../../../base/mail-settings.ts';
import { sendSmtp, type SmtpAnswer } from './smtp.ts';

export interface Mail {
  /** Each gets a message of their own, since each can end theirs. */
  readonly to: string;
  readonly notification: Notification;
  readonly footer: Footer;
  /** Which delivery it is: the message has the same id when it is sent again. */
  readonly deliveryKey: string;
}

export interface Mailer {
  readonly from: string;
  /** Throws `MailError`; what `beforeSending` throws comes out as it is. */
  send(mail: Mail, beforeSending: () => Promise<void>): Promise<SmtpAnswer>;
}

export function createMailer(settings: MailSettings): Mailer {
  return {
    from: settings.from,
    async send(mail, beforeSending) {
      const { raw, from } = await composeMail(settings.from, mail);
      return sendSmtp(settings, { from, to: [mail.to], raw }, beforeSending);
    },
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The message with its headers, and the sender of the envelope. */
export async function composeMail(
  sender: string,
  mail: Mail,
): Promise<{ readonly raw: Buffer; readonly from: string }> {
  const { notification, footer, deliveryKey, to } = mail;
  const { subject, text, html } = renderMail(notification, footer);
  const domain = /@([^\s<>]+)>?\s*$/.exec(sender)?.[1] ?? 'localhost';
  // Nobody ever sent the message that a thread hangs on; clients put together what refers to the same one.
  const root = `<${digest(notification.groupKey)}@${domain}>`;
  const message = new MailComposer({
    from: sender,
    to,
    subject,
    text,
    html,
    messageId: `<${digest(`${deliveryKey} ${to}`)}.delivery@${domain}>`,
    inReplyTo: root,
    references: [root],
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // RFC 8058: mail programs end it with one click.
      ...(footer.unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${footer.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const { from } = message.getEnvelope();
  return { raw: await message.build(), from: typeof from === 'string' ? from : sender };
}
