/** Requests that wait to be forwarded are of the person, or of the event, by what they say. */
import { createFinder, soughtText } from '../../base/sought-text.ts';
import type { IsMeant } from '../mirror/index.ts';
import { type About, type IdentifierKind, isDistinct, soughtOf } from './person.ts';

/** Under these names, in a user or in attributes, somebody is told apart. */
const names: Readonly<Record<string, IdentifierKind>> = {
  id: 'id',
  email: 'email',
  username: 'name',
  name: 'name',
  ip_address: 'ip',
};
const deepest = 12;

/** With one envelope goes all that is in it. */
export function isInRequest(about: About): IsMeant {
  const { event } = about;
  if (event) {
    const dashed = event.eventId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const finder = createFinder(
      [event.eventId, dashed].map((id) => ({ ...soughtText(id, 'word'), ignoresCase: true })),
    );
    return ({ body }) => finder.isIn(body);
  }
  const finder = createFinder(about.mentions ? soughtOf(about.person) : []);
  const isOne = (kind: IdentifierKind, value: unknown): boolean =>
    (typeof value === 'string' || typeof value === 'number') &&
    about.person.some((one) => one.kind === kind && one.value === plain(kind, String(value)));
  const needsFields = !about.mentions || about.person.some((one) => !isDistinct(one));
  return ({ body, remoteAddress }) =>
    isOne('ip', remoteAddress) ||
    finder.isIn(body) ||
    (needsFields && linesOf(body).some((line) => hasUser(line, isOne)));
}

const plain = (kind: IdentifierKind, value: string): string =>
  kind === 'email' || kind === 'ip' ? value.trim().toLowerCase() : value.trim();

function linesOf(body: Buffer): unknown[] {
  return body
    .toString()
    .split('\n')
    .flatMap((line) => {
      try {
        return line.startsWith('{') ? [JSON.parse(line) as unknown] : [];
      } catch {
        return [];
      }
    });
}

type IsOne = (kind: IdentifierKind, value: unknown) => boolean;

/** `user.email` is a field of a user, or an attribute as it is or as `{ value }`; `did` is how sessions name a user. */
function hasUser(value: unknown, isOne: IsOne, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > deepest) return false;
  return Object.entries(value).some(([name, inner]: [string, unknown]) => {
    if (name === 'did' && isOne('id', inner)) return true;
    if (name === 'user' && typeof inner === 'object' && inner !== null)
      if (Object.entries(inner).some(([field, said]) => names[field] && isOne(names[field], said))) return true;
    const kind = /^(?:enduser|user)\./.test(name) ? names[name.slice(name.indexOf('.') + 1)] : undefined;
    if (kind && (isOne(kind, inner) || isOne(kind, (inner as { value?: unknown } | null)?.value))) return true;
    return hasUser(inner, isOne, depth + 1);
  });
}
