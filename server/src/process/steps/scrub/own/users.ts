/** Users by pseudonyms: the same user has the same one within an organisation, and nothing else tells who it is. */
import { isIP } from 'node:net';
import type { Event } from '../../event.ts';
import type { Remarks } from '../../remarks.ts';
import type { Change } from './apply.ts';
import { pseudonym } from './methods.ts';

export const userRule = '@user:hash';

const mail = /^[^\s@]+@[^\s@]+$/;

/** The same for all ways to write one mail or address, which cannot be compared any more once they are hashed. */
export function userPseudonym(text: string, key: string): string {
  const trimmed = text.trim();
  return pseudonym(mail.test(trimmed) || isIP(trimmed) !== 0 ? trimmed.toLowerCase() : trimmed, key);
}

/** What tells somebody apart; what it becomes differs by the field, so that a mail is not told from an id. */
const identifying = ['id', 'username', 'email'] as const;

/** The place somebody is in stays; the name and the client's own fields go, an address becomes the id where none is. */
export function hideUser(event: Pick<Event, 'user'>, key: string, remarks?: Remarks): void {
  const { user } = event;
  if (typeof user !== 'object' || user === null) return;
  for (const field of identifying) {
    const value: unknown = user[field];
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') continue;
    user[field] = userPseudonym(String(value), key);
    remarks?.byRule(['user', field], userRule, 'p', String(value).length);
  }
  const address: unknown = user.ip_address;
  if (typeof address === 'string' && address !== '') {
    if (!identifying.some((field) => user[field])) user.id = userPseudonym(address, key);
    delete user.ip_address;
    remarks?.byRule(['user', 'ip_address'], userRule, 'x');
  }
  for (const field of ['name', 'data'] as const) {
    if (user[field] === undefined) continue;
    delete user[field];
    remarks?.byRule(['user', field], userRule, 'x');
  }
}

const attributes = /^(?:enduser|user)\.(?:id|name|username|email|hash)$/;
/** Under the names of today and of before. */
const addresses = new Set([
  'user.ip_address',
  'client.address',
  'client.socket.address',
  'http.client_ip',
  'net.peer.ip',
  'net.sock.peer.addr',
  'network.peer.address',
]);
const gone = /^(?:enduser|user)\.(?:full_name|roles|scope|data\..*)$/;

/** The same of attributes of spans and logs, under the names of OpenTelemetry. */
export function hideUserAttributes(
  sent: Record<string, unknown>,
  key: string,
  changed: (change: Change) => void,
): void {
  const names = Object.keys(sent);
  const tells = names.some((name) => attributes.test(name) && Boolean(sent[name]));
  for (const name of names) {
    const value = sent[name];
    if (value === undefined || value === null || value === '') continue;
    if (attributes.test(name)) {
      sent[name] = userPseudonym(typeof value === 'string' ? value : String(value as number), key);
      changed({ path: ['data', name], rule: userRule, kind: 'p' });
    } else if (addresses.has(name)) {
      delete sent[name];
      if (!tells && name === 'user.ip_address' && typeof value === 'string')
        sent['user.id'] = userPseudonym(value, key);
      changed({ path: ['data', name], rule: userRule, kind: 'x' });
    } else if (gone.test(name)) {
      delete sent[name];
      changed({ path: ['data', name], rule: userRule, kind: 'x' });
    }
  }
}
