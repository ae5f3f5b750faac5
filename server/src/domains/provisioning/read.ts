/** What of a resource is kept: nothing that no page of ours shows. Pure. */
import { scim as texts } from '../../base/texts/provisioning.ts';
import { badValue, ScimError } from './protocol/error.ts';
import { isList, isObject, type Json, type JsonObject, valueOf } from './protocol/json.ts';

export interface Address {
  readonly value: string;
  readonly type?: string;
  readonly primary?: boolean;
}

/** As the directory writes it, so that it finds it again. */
export interface UserContent {
  readonly userName: string;
  readonly name: { readonly formatted?: string; readonly givenName?: string; readonly familyName?: string };
  readonly displayName?: string;
  readonly emails: readonly Address[];
}

export interface GivenUser {
  readonly content: UserContent;
  readonly externalId: string | null;
  readonly active: boolean;
  /** Of the account: in lower case. */
  readonly email: string;
  /** Of the account. */
  readonly name: string | undefined;
}

export interface GivenGroup {
  readonly name: string;
  readonly externalId: string | null;
  /** Ids of users, each once. */
  readonly memberIds: readonly string[];
}

const longest = 254;
const mostAddresses = 20;
export const mostMembers = 5_000;

/** Control characters, and halves of characters. */
const unwritable = /[\p{Cc}\p{Cs}]/u;

function text(object: JsonObject, name: string, max = longest): string | undefined {
  const value = valueOf(object, name);
  if (value === undefined || value === null || value === '') return undefined;
  // Directories write numbers as numbers.
  const given = typeof value === 'number' ? String(value) : value;
  if (typeof given !== 'string' || given.length > max || unwritable.test(given)) throw badValue(name, texts.text(max));
  return given;
}

/** Entra writes "False". */
function yesOrNo(object: JsonObject, name: string): boolean | undefined {
  const value = valueOf(object, name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'boolean') return value;
  const said = typeof value === 'string' ? value.toLowerCase() : '';
  if (said !== 'true' && said !== 'false') throw badValue(name, texts.yesOrNo);
  return said === 'true';
}

function addressesIn(object: JsonObject): Address[] {
  const value: Json = valueOf(object, 'emails') ?? [];
  if (!isList(value) || value.length > mostAddresses) throw badValue('emails', texts.list(mostAddresses));
  return value.flatMap((one) => {
    const entry = isObject(one) ? one : { value: one };
    const own = text(entry, 'value');
    // A value that was taken out leaves an empty entry.
    if (own === undefined) return [];
    const [type, primary] = [text(entry, 'type'), yesOrNo(entry, 'primary')];
    return [{ value: own, ...(type !== undefined && { type }), ...(primary !== undefined && { primary }) }];
  });
}

const isAddress = (value: string): boolean => value.length <= longest && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value);

/** Domains that can never be one: those of service accounts, and of accounts that were deleted. */
const isOurs = (email: string): boolean => email.endsWith('.invalid');

function emailOf({ userName, emails }: Pick<UserContent, 'userName' | 'emails'>): string {
  const chosen =
    emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type?.toLowerCase() === 'work') ?? emails[0];
  const email = (chosen?.value ?? userName).trim().toLowerCase();
  if (chosen && !isAddress(email)) throw badValue('emails', texts.address);
  if (!isAddress(email) || isOurs(email)) throw new ScimError(400, texts.noAddress, 'invalidValue');
  return email;
}

function externalIdOf(object: JsonObject): string | null {
  return text(object, 'externalId') ?? null;
}

/** Throws `ScimError` for what cannot be kept. */
export function readUser(body: JsonObject): GivenUser {
  const userName = text(body, 'userName');
  if (userName === undefined) throw badValue('userName', texts.text(longest));
  const given = valueOf(body, 'name');
  const parts = isObject(given) ? given : {};
  const [formatted, givenName, familyName] = ['formatted', 'givenName', 'familyName'].map((part) => text(parts, part));
  const displayName = text(body, 'displayName');
  const emails = addressesIn(body);
  const content: UserContent = {
    userName,
    name: {
      ...(formatted !== undefined && { formatted }),
      ...(givenName !== undefined && { givenName }),
      ...(familyName !== undefined && { familyName }),
    },
    ...(displayName !== undefined && { displayName }),
    emails,
  };
  const full = [givenName, familyName].filter((part) => part !== undefined).join(' ');
  const name = (displayName ?? formatted ?? full).trim().slice(0, 100);
  return {
    content,
    externalId: externalIdOf(body),
    active: yesOrNo(body, 'active') ?? true,
    email: emailOf(content),
    name: name || undefined,
  };
}

/** Throws `ScimError`. */
export function readGroup(body: JsonObject): GivenGroup {
  const name = text(body, 'displayName')?.trim();
  if (!name) throw badValue('displayName', texts.text(longest));
  const members: Json = valueOf(body, 'members') ?? [];
  if (!isList(members) || members.length > mostMembers) throw badValue('members', texts.list(mostMembers));
  const ids = members.map((one) => {
    const id = isObject(one) ? valueOf(one, 'value') : one;
    if (typeof id !== 'string' || id.length > 64 || unwritable.test(id))
      throw badValue('members', texts.list(mostMembers));
    return id;
  });
  return { name, externalId: externalIdOf(body), memberIds: [...new Set(ids)] };
}
