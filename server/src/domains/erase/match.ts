/** Which rows of a table are of the person, or name them. */
import { createHash } from 'node:crypto';
import { engineExpression, type SoughtText } from '../../base/sought-text.ts';
import type { QueryParams } from '../../ports/events/events.ts';
import { hashOfUser } from '../../process/items/session/index.ts';
import { type TableShape, textsOf } from './keys.ts';
import { type About, type IdentifierKind, soughtOf, userTexts } from './person.ts';

export interface Condition {
  /** Rows of the person, or the event, by the fields of users. */
  readonly own: string;
  /** The same, and those that name the person in a text. */
  readonly all: string;
  readonly params: QueryParams;
}

/** Where attributes of spans and logs say who a user is. */
const attributes: Readonly<Record<IdentifierKind, readonly string[]>> = {
  id: ['user.id', 'enduser.id'],
  email: ['user.email', 'enduser.email'],
  name: ['user.name', 'user.full_name', 'user.username', 'enduser.name'],
  ip: ['user.ip_address', 'client.address', 'net.peer.ip'],
};

/** Where items do that are kept as they came. */
const paths: Readonly<Record<IdentifierKind, readonly (readonly string[])[]>> = {
  id: [['user', 'id']],
  email: [['user', 'email'], ['contexts', 'feedback', 'contact_email'], ['email']],
  name: [['user', 'username'], ['user', 'name'], ['contexts', 'feedback', 'name'], ['name']],
  ip: [['user', 'ip_address']],
};

const columns: Readonly<Record<IdentifierKind, string>> = {
  id: 'user_id',
  email: 'user_email',
  name: 'user_username',
  ip: 'user_ip',
};

const kinds = ['id', 'email', 'name', 'ip'] as const;
const isLower: Readonly<Record<IdentifierKind, boolean>> = { id: false, email: true, name: false, ip: true };

const isIn = (kind: IdentifierKind, sql: string): string =>
  `${isLower[kind] ? `lower(trimBoth(${sql}))` : sql} IN {${kind}s:Array(String)}`;

const quoted = (text: string): string => `'${text}'`;

function ofUsers(table: string): string[] {
  const user = ['user IN {users:Array(String)}', 'lower(user) IN {users:Array(String)}'];
  switch (table) {
    case 'errors':
      return [...user, ...kinds.map((kind) => isIn(kind, columns[kind]))];
    case 'spans':
    case 'logs': {
      const said = kinds.flatMap((kind) => attributes[kind].map((name) => isIn(kind, `attributes[${quoted(name)}]`)));
      return table === 'spans' ? [...user, ...said] : said;
    }
    case 'segments':
      return user;
    case 'sessions':
      return ['user IN {sessionUsers:Array(UInt64)}'];
    case 'items':
      return kinds.flatMap((kind) =>
        paths[kind].map((path) =>
          isIn(kind, `trim(BOTH '"' FROM JSONExtractRaw(payload, ${path.map(quoted).join(', ')}))`),
        ),
      );
    default:
      return [];
  }
}

/** Most rows have none of the forms, which is found out without looking at what stands around. */
function isNamed(shape: TableShape, sought: readonly SoughtText[]): string | undefined {
  const texts = textsOf(shape);
  if (texts === undefined) return undefined;
  const isPlain = sought.every(({ forms }) => forms.every((form) => !/[^\x20-\x7e]/.test(form)));
  const search = isPlain ? 'multiSearchAnyCaseInsensitive' : 'multiSearchAnyCaseInsensitiveUTF8';
  return `(${search}(${texts}, {forms:Array(String)}) AND match(${texts}, {texts:String}))`;
}

/** `projectIds`: those of the organisation that are asked for. */
export function conditionOf(about: About, shape: TableShape, projectIds: readonly number[]): Condition {
  const within = 'project_id IN {projects:Array(UInt64)}';
  if (about.event) {
    const isOf = shape.texts.includes('event_id') ? 'event_id = {event:String}' : '0';
    const own = `${within} AND ${isOf}`;
    return {
      own,
      all: own,
      params: { projects: projectIds.filter((id) => id === about.event?.projectId), event: about.event.eventId },
    };
  }
  const valuesOf = (kind: IdentifierKind): string[] =>
    about.person.filter((one) => one.kind === kind).map(({ value }) => value);
  const own = ofUsers(shape.table);
  const sought = about.mentions ? soughtOf(about.person) : [];
  const isOwn = own.length > 0 ? `(${own.join(' OR ')})` : '0';
  const named = sought.length > 0 ? isNamed(shape, sought) : undefined;
  return {
    own: `${within} AND ${isOwn}`,
    all: `${within} AND ${named === undefined ? isOwn : `(${isOwn} OR ${named})`}`,
    params: {
      projects: projectIds,
      users: userTexts(about.person),
      ...Object.fromEntries(kinds.map((kind) => [`${kind}s`, valuesOf(kind)])),
      sessionUsers: about.person.map(({ value }) => BigInt(hashOfUser(value))),
      ...(named !== undefined && { texts: engineExpression(sought), forms: sought.flatMap(({ forms }) => forms) }),
    },
  };
}

/** What a certificate says of a value: whoever knows it and the salt can tell that it is the one. */
export const markOf = (salt: string, kind: string, value: string): string =>
  createHash('sha256').update(`${salt}\n${kind}\n${value}`).digest('hex');
