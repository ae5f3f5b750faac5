/** The user that an event is about. */
import type { User } from '../event.ts';
import { asObject, asText, type JsonObject } from '../json.ts';
import { cutText, textLimits } from '../limits.ts';

const known = new Set(['id', 'username', 'email', 'ip_address', 'name', 'geo', 'data', 'sentry_user']);

export function parseUser(value: unknown): User | undefined {
  const raw = asObject(value);
  if (!raw) return undefined;
  const user: User = {};
  const id = asText(raw.id);
  if (id !== undefined) user.id = cutText(id, textLimits.short);
  const username = asText(raw.username);
  if (username !== undefined) user.username = cutText(username, textLimits.short);
  const email = asText(raw.email);
  if (email !== undefined) user.email = cutText(email, textLimits.email);
  const ip = asText(raw.ip_address)?.trim();
  if (ip !== undefined) user.ip_address = cutText(ip, textLimits.symbol);
  const name = asText(raw.name);
  if (name !== undefined) user.name = cutText(name, textLimits.short);
  if (asObject(raw.geo)) user.geo = raw.geo;
  const data = otherFields(raw);
  if (data) user.data = data;
  return user;
}

/** What the protocol has no place for moves into `data`. */
function otherFields(raw: JsonObject): JsonObject | undefined {
  let data = asObject(raw.data);
  for (const key in raw) {
    const value = raw[key];
    if (known.has(key) || value === undefined || value === null || key === '__proto__') continue;
    data ??= {};
    if (!Object.hasOwn(data, key)) data[key] = value;
  }
  return data;
}

/** `id:…`, `username:…`, `email:…` or `ip:…`, the first that is known; '' for none. */
export function userIdentity(user: User | undefined): string {
  if (!user) return '';
  if (user.id) return `id:${user.id}`;
  if (user.username) return `username:${user.username}`;
  if (user.email) return `email:${user.email}`;
  return user.ip_address ? `ip:${user.ip_address}` : '';
}
