/**
 * Programs that ask people for access (RFC 7591). They register themselves and have no secret, so nothing is known of them
 * but what they say: a name, and where people are sent back to. Only the latter proves anything.
 */
import { randomUUID } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { oauth as texts } from '../../base/texts/oauth.ts';
import type { State } from '../../ports/state/state.ts';

export interface Client {
  readonly id: string;
  /** As it calls itself. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** ms since the epoch; undefined for one that is known without. */
  readonly registeredAt: number | undefined;
}

export const longestName = 100;
export const longestUri = 1_000;
const mostUris = 10;
/** Programs that came, and that nobody granted anything, go when so many are there. */
const mostClients = 5_000;
const unusedForMs = 86_400_000;
const madeRoom = 500;

/** Sentry's command line has its id built in, and asks by device alone. */
const builtIn = new Map([['1d673b81d60ef84c951359c36296972ca6fd41bd8f45acd2d3a783a3b3c28e41', 'Sentry CLI']]);

/** What browsers would run, or read from the reader's machine. */
const harmful = /^(?:javascript|data|vbscript|file|blob|about|filesystem|view-source|ws|wss|ftp):$/;
const loopback = /^(?:127\.0\.0\.1|\[::1\]|localhost)$/;

/** Sent back to over HTTPS, to this machine, or to a program by a scheme of its own (RFC 8252). */
export function isRedirectUri(text: string): boolean {
  if (text.length > longestUri || !URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username || password || harmful.test(protocol)) return false;
  return protocol === 'https:' || (protocol === 'http:' ? loopback.test(hostname) : true);
}

/** The port of this machine is the program's choice each time (RFC 8252, 7.3); all else has to be as registered. */
export function mayReturnTo(client: Pick<Client, 'redirectUris'>, uri: string): boolean {
  if (!isRedirectUri(uri)) return false;
  const asked = withoutPort(uri);
  return client.redirectUris.some((known) => known === uri || (asked !== undefined && withoutPort(known) === asked));
}

function withoutPort(uri: string): string | undefined {
  const url = new URL(uri);
  if (url.protocol !== 'http:' || !loopback.test(url.hostname)) return undefined;
  url.port = '';
  return url.href;
}

/** Without what would show as something else: control, bidi and zero-width characters. */
const shownName = (name: string): string =>
  [
    ...name
      .normalize('NFKC')
      .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
  ]
    .slice(0, longestName)
    .join('');

export interface NewClient {
  readonly name?: string | undefined;
  readonly redirectUris: readonly string[];
}

/** Throws `OAUTH_INVALID` for what cannot be, `OAUTH_CLIENTS_FULL`. */
export async function registerClient(
  state: State,
  { name = '', redirectUris }: NewClient,
  now: number,
): Promise<Client> {
  if (redirectUris.length > mostUris) throw new CodedError('OAUTH_INVALID', [texts.manyUris(mostUris)]);
  const bad = redirectUris.find((uri) => !isRedirectUri(uri));
  if (bad !== undefined) throw new CodedError('OAUTH_INVALID', [texts.redirectUri]);
  await makeRoom(state, now);
  const client = {
    id: randomUUID(),
    name: shownName(name) || texts.nameless,
    redirectUris: [...new Set(redirectUris)],
  };
  await state.db
    .insertInto('oauth_client')
    .values({ id: client.id, name: client.name, redirect_uris: JSON.stringify(client.redirectUris), created_at: now })
    .execute();
  return { ...client, registeredAt: now };
}

/** The oldest without any token go, but for those that came within a day. */
async function makeRoom({ db }: State, now: number): Promise<void> {
  const { n } = await db
    .selectFrom('oauth_client')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (Number(n) < mostClients) return;
  const unused = db
    .selectFrom('oauth_client')
    .select('id')
    .where('created_at', '<', now - unusedForMs)
    .where('id', 'not in', db.selectFrom('oauth_grant').select('client_id'))
    .orderBy('created_at')
    .limit(madeRoom);
  const gone = await db.deleteFrom('oauth_client').where('id', 'in', unused).returning('id').execute();
  if (gone.length === 0) throw new CodedError('OAUTH_CLIENTS_FULL');
}

export async function findClient({ db }: State, id: string): Promise<Client | undefined> {
  const name = builtIn.get(id);
  if (name !== undefined) return { id, name, redirectUris: [], registeredAt: undefined };
  const row = await db.selectFrom('oauth_client').selectAll().where('id', '=', id).executeTakeFirst();
  return (
    row && {
      id,
      name: row.name,
      redirectUris: JSON.parse(row.redirect_uris) as string[],
      registeredAt: Number(row.created_at),
    }
  );
}
