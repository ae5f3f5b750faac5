/** `/.well-known/security.txt` (RFC 9116): whom to tell of a vulnerability of this installation. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';

export interface SecurityTextOptions {
  readonly config: Pick<Config, 'securityContacts'>;
  /** The public address. */
  readonly getUrl: () => string;
  /** The current time, ms. */
  readonly now?: () => number;
}

const path = '/.well-known/security.txt';
/** Half a year; it must be less than one. */
const validMs = 180 * 24 * 60 * 60_000;

export function securityText(contacts: readonly string[], url: string, now: number): string {
  // By the day, so that it stays what it was for those who keep it.
  const expires = `${new Date(now + validMs).toISOString().slice(0, 10)}T00:00:00Z`;
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    `Canonical: ${url}${path}`,
    'Preferred-Languages: en',
    '',
  ].join('\n');
}

/** Throws `NOT_FOUND` in answers while nobody is named. */
export function registerSecurityText(
  app: FastifyInstance,
  { config, getUrl, now = Date.now }: SecurityTextOptions,
): void {
  app.get(path, (_request, reply) => {
    if (config.securityContacts.length === 0) throw new CodedError('NOT_FOUND', [path]);
    return reply.type('text/plain; charset=utf-8').send(securityText(config.securityContacts, getUrl(), now()));
  });
}
