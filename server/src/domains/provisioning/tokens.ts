/** Tokens by which a directory writes the people and groups of one organisation. They open nothing else. */
import { createHash, randomBytes } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { scim as texts } from '../../base/texts/provisioning.ts';
import { limits } from '../../base/texts/things.ts';
import type { State } from '../../ports/state/state.ts';
import { type Switches, switchesOf } from '../accounts/index.ts';
import { ScimError } from './protocol/error.ts';

const mostTokens = 10;
const usedEveryMs = 60_000;
const tokenForm = /^culprit_scim_[\w-]{43}$/;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export interface ScimToken {
  readonly id: number;
  readonly name: string;
  /** Last four characters. */
  readonly hint: string;
  /** '' for who is gone. */
  readonly makerName: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Within a minute; null when never used. */
  readonly lastUsedAt: number | null;
  /** Null: never. */
  readonly expiresAt: number | null;
}

/** Who writes, once their token was looked at. */
export interface Directory {
  readonly organizationId: string;
  readonly token: { readonly id: number; readonly name: string };
  readonly switches: Switches;
}

/** The newest first. */
export async function listScimTokens(state: State, organizationId: string): Promise<ScimToken[]> {
  const rows = await state.db
    .selectFrom('scim_token')
    .leftJoin('user', 'user.id', 'scim_token.maker_id')
    .selectAll('scim_token')
    .select('user.name as makerName')
    .where('organization_id', '=', organizationId)
    .orderBy('scim_token.id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    hint: row.token_hint,
    makerName: row.makerName ?? '',
    createdAt: Number(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
  }));
}

export interface NewScimToken {
  readonly organizationId: string;
  readonly name: string;
  readonly makerId: string;
  readonly expiresAt: number | null;
}

/** `token` is the only time that it can be seen. */
export async function createScimToken(
  state: State,
  { organizationId, name, makerId, expiresAt }: NewScimToken,
  now: number,
): Promise<{ readonly id: number; readonly token: string }> {
  const { n } = await state.db
    .selectFrom('scim_token')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (Number(n) >= mostTokens) throw new CodedError('INPUT_INVALID', [limits.scimTokens(mostTokens)]);
  const token = `culprit_scim_${randomBytes(32).toString('base64url')}`;
  const { id } = await state.db
    .insertInto('scim_token')
    .values({
      organization_id: organizationId,
      name,
      token_hash: hashOf(token),
      token_hint: token.slice(-4),
      maker_id: makerId,
      created_at: now,
      last_used_at: null,
      expires_at: expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}

/** Undefined when there is no such token. */
export async function deleteScimToken(
  state: State,
  { organizationId, id }: { readonly organizationId: string; readonly id: number },
): Promise<{ readonly id: number; readonly name: string } | undefined> {
  return state.db
    .deleteFrom('scim_token')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(['id', 'name'])
    .executeTakeFirst();
}

/** Throws `ScimError` for a token that is none, or has ended. */
export async function directoryOf(state: State, token: string, now: number): Promise<Directory> {
  const row = tokenForm.test(token)
    ? await state.db.selectFrom('scim_token').selectAll().where('token_hash', '=', hashOf(token)).executeTakeFirst()
    : undefined;
  if (!row) throw new ScimError(401, texts.token);
  if (row.expires_at !== null && Number(row.expires_at) <= now) throw new ScimError(401, texts.tokenExpired);
  if (row.last_used_at === null || now - Number(row.last_used_at) >= usedEveryMs) {
    await state.db.updateTable('scim_token').set({ last_used_at: now }).where('id', '=', row.id).execute();
  }
  return {
    organizationId: row.organization_id,
    token: { id: row.id, name: row.name },
    switches: await switchesOf(state, row.organization_id),
  };
}
