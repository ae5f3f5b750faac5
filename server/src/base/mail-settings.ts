/** Where mail goes out: `CULPRIT_SMTP_URL` and `CULPRIT_MAIL_FROM`. */
import { expects } from './texts/settings.ts';

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly secure: boolean;
  /** STARTTLS or nothing. */
  readonly requireTls: boolean;
  readonly user: string;
  readonly password: string;
  /** False for a server whose certificate nobody has signed. */
  readonly checkCertificate: boolean;
  /** An address, or `Name <address>`. */
  readonly from: string;
}

/**
 * Reads `smtp://user:password@host:587` or `smtps://…`, with `?requireTLS=true` or `?tls.rejectUnauthorized=false`.
 * `undefined` for ''. Throws a `RangeError` in words for what it cannot read.
 */
export function parseMailSettings(smtpUrl: string, from: string, consoleUrl: string): MailSettings | undefined {
  if (smtpUrl === '') return undefined;
  const url = URL.canParse(smtpUrl) ? new URL(smtpUrl) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new RangeError(expects.smtp);
  }
  const secure = url.protocol === 'smtps:';
  const user = decode(url.username);
  const host = URL.canParse(consoleUrl) ? new URL(consoleUrl).hostname : 'localhost';
  const sender = from || (user.includes('@') ? user : `culprit@${host.includes('.') ? host : 'localhost.localdomain'}`);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTls: url.searchParams.get('requireTLS') === 'true',
    user,
    password: decode(url.password),
    checkCertificate: url.searchParams.get('tls.rejectUnauthorized') !== 'false',
    from: sender,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
