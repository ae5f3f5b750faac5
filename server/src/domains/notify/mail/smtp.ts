/** One mail over one connection, with a moment between the last byte of the message and the dot that hands it over. */
import { Readable } from 'node:stream';
import SmtpConnection from 'nodemailer/lib/smtp-connection';
import type { MailSettings } from '../../../base/mail-settings.ts';

/**
 * - `retry`: the server did not take it, and may later;
 * - `failed`: it will not;
 * - `uncertain`: the message was handed over and no answer came.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly kind: 'retry' | 'failed' | 'uncertain';
  /** Of the server; null when it said nothing. */
  readonly status: number | null;

  constructor(kind: MailError['kind'], message: string, status: number | null, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
    this.status = status;
  }
}

export interface SmtpMessage {
  /** Of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body. */
  readonly raw: Buffer;
}

export interface SmtpAnswer {
  readonly status: number;
  readonly text: string;
  /** Of those it was for. */
  readonly rejected: readonly string[];
}

const timeouts = { connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 20_000, dnsTimeout: 8_000 };

/** `beforeSending` is awaited when all but the final dot was sent; what it throws ends the connection without it. */
export async function sendSmtp(
  settings: MailSettings,
  message: SmtpMessage,
  beforeSending: () => Promise<void>,
): Promise<SmtpAnswer> {
  let handedOver = false;
  let stopped: unknown;
  async function* body(): AsyncGenerator<Buffer> {
    yield message.raw;
    try {
      await beforeSending();
    } catch (error) {
      stopped = error;
      throw error;
    }
    handedOver = true;
  }
  try {
    return await withConnection(settings, async (connection) => {
      const { promise, resolve, reject } = Promise.withResolvers<SmtpAnswer>();
      connection.once('error', reject);
      connection.once('end', () => reject(new Error('the server closed the connection')));
      connection.send({ from: message.from, to: [...message.to] }, Readable.from(body()), (error, info) => {
        if (error) reject(error);
        else {
          const text = String(info.response);
          const rejected = (info.rejected ?? []).map(String);
          resolve({ status: Number(text.slice(0, 3)) || 250, text, rejected });
        }
      });
      try {
        return await promise;
      } finally {
        // In the middle of a message QUIT would be a line of it, and the server would wait for the rest.
        if (stopped !== undefined) connection.close();
      }
    });
  } catch (error) {
    if (stopped !== undefined) throw stopped;
    throw toMailError(error, handedOver);
  }
}

/** Connects and signs in, and nothing else. Throws `MailError`. */
export async function checkSmtp(settings: MailSettings): Promise<void> {
  try {
    await withConnection(settings, async () => {});
  } catch (error) {
    throw toMailError(error, false);
  }
}

async function withConnection<T>(settings: MailSettings, work: (connection: SmtpConnection) => Promise<T>): Promise<T> {
  const { host, port, secure, requireTls, user, password, checkCertificate } = settings;
  const connection = new SmtpConnection({
    host,
    port,
    secure,
    requireTLS: requireTls,
    tls: { rejectUnauthorized: checkCertificate },
    ...timeouts,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject);
      connection.once('end', () => reject(new Error('the server closed the connection')));
      connection.connect(() => {
        if (user === '') resolve();
        else {
          const credentials = { credentials: { user, pass: password } };
          connection.login(credentials, (error) => (error ? reject(error) : resolve()));
        }
      });
    });
    return await work(connection);
  } finally {
    // What comes after the answer is nobody's concern, and must not end the process.
    connection.on('error', () => {});
    connection.quit();
  }
}

function toMailError(error: unknown, handedOver: boolean): MailError {
  const { message } = error instanceof Error ? error : { message: String(error) };
  const said = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const status = said >= 200 && said < 600 ? said : null;
  if (status !== null) {
    return new MailError(status >= 500 && code !== 'EAUTH' ? 'failed' : 'retry', message, status, { cause: error });
  }
  return new MailError(handedOver ? 'uncertain' : 'retry', message, null, { cause: error });
}
