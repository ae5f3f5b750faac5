/**
 * Invitations. One is a link with a random token that is shown once; what is kept is its SHA-256. It is good for seven
 * days and once, and a new one for the same address replaces it.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Role } from '../accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { InviteTable } from '../../ports/state/team-tables.ts';
import { invitations as texts } from '../../base/texts/accounts.ts';
import { limits } from '../../base/texts/things.ts';
import { addToTeams } from './teams.ts';

const goodForMs = 7 * 24 * 60 * 60_000;
const maxInvitations = 1_000;
const tokenForm = /^[\w-]{43}$/;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export interface Invitation {
  readonly id: number;
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  readonly teamIds: readonly number[];
  /** Null for who is gone. */
  readonly inviterId: string | null;
  readonly inviterName: string | null;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

const toInvitation = (row: Selectable<InviteTable> & { inviterName: string | null }): Invitation => ({
  id: row.id,
  organizationId: row.organization_id,
  email: row.email,
  role: row.role as Role,
  teamIds: JSON.parse(row.teams) as number[],
  inviterId: row.inviter_id,
  inviterName: row.inviterName,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
});

const invitations = (db: State['db'] | StateTransaction) =>
  db
    .selectFrom('invite')
    .leftJoin('user', 'user.id', 'invite.inviter_id')
    .selectAll('invite')
    .select('user.name as inviterName');

/** By address. */
export async function listInvitations(state: State, organizationId: string): Promise<Invitation[]> {
  const rows = await invitations(state.db)
    .where('invite.organization_id', '=', organizationId)
    .orderBy('invite.email')
    .execute();
  return rows.map(toInvitation);
}

export interface NewInvitation {
  readonly organizationId: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  readonly teamIds: readonly number[];
  readonly inviterId: string;
}

/**
 * `token` is the only time that it can be seen. `mayReplace` throws unless an open invitation of that role, by that
 * person, may be replaced. Throws `MEMBER_EXISTS`.
 */
export async function invite(
  state: State,
  { organizationId, email, role, teamIds, inviterId }: NewInvitation,
  mayReplace: (role: Role, inviterId: string | null) => void,
  now: number,
): Promise<{ readonly invitation: Invitation; readonly token: string }> {
  const token = randomBytes(32).toString('base64url');
  return state.transaction(async (trx) => {
    const member = await trx
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .select('member.id')
      .where('member.organizationId', '=', organizationId)
      .where('user.email', '=', email)
      .executeTakeFirst();
    if (member) throw new CodedError('MEMBER_EXISTS', [email]);
    const open = await trx
      .selectFrom('invite')
      .select(['role', 'inviter_id'])
      .where('organization_id', '=', organizationId)
      .where('email', '=', email)
      .executeTakeFirst();
    if (open) mayReplace(open.role as Role, open.inviter_id);
    const { n } = await trx
      .selectFrom('invite')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    if (Number(n) >= maxInvitations) {
      throw new CodedError('INPUT_INVALID', [limits.invitations(maxInvitations)]);
    }
    const row = {
      role,
      teams: JSON.stringify(teamIds),
      token_hash: hashOf(token),
      inviter_id: inviterId,
      created_at: now,
      expires_at: now + goodForMs,
    };
    const { id } = await trx
      .insertInto('invite')
      .values({ organization_id: organizationId, email, ...row })
      .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow();
    const made = await invitations(trx).where('invite.id', '=', id).executeTakeFirstOrThrow();
    return { invitation: toInvitation(made), token };
  });
}

/** Role and teams of one that is open; what is undefined stays. */
export async function updateInvitation(
  state: State,
  id: number,
  { role, teamIds }: { role?: Role | undefined; teamIds?: readonly number[] | undefined },
): Promise<void> {
  if (role === undefined && teamIds === undefined) return;
  await state.db
    .updateTable('invite')
    .set({ ...(role !== undefined && { role }), ...(teamIds && { teams: JSON.stringify(teamIds) }) })
    .where('id', '=', id)
    .execute();
}

export async function deleteInvitation(state: State, id: number): Promise<void> {
  await state.db.deleteFrom('invite').where('id', '=', id).execute();
}

/** Throws `INVITATION_GONE` for one that is not there any more, or too old. */
export async function openInvitation(state: State, token: string, now: number): Promise<Invitation> {
  const row = tokenForm.test(token)
    ? await invitations(state.db).where('invite.token_hash', '=', hashOf(token)).executeTakeFirst()
    : undefined;
  if (!row) throw new CodedError('INVITATION_GONE', [texts.used]);
  const invitation = toInvitation(row);
  if (invitation.expiresAt <= now) throw new CodedError('INVITATION_GONE', [texts.expired]);
  return invitation;
}

/** Uses the invitation up; `join` makes the member, or finds that they are one, and returns their user id. */
export async function useInvitation(
  state: State,
  { id, teamIds, organizationId }: Invitation,
  join: (trx: StateTransaction) => Promise<string>,
  now: number,
): Promise<void> {
  await state.transaction(async (trx) => {
    const used = await trx.deleteFrom('invite').where('id', '=', id).returning('id').executeTakeFirst();
    if (!used) throw new CodedError('INVITATION_GONE', [texts.used]);
    const userId = await join(trx);
    await addToTeams(trx, userId, await teamsLeft(trx, organizationId, teamIds), now);
  });
}

/** Teams may have gone since. */
async function teamsLeft(trx: StateTransaction, organizationId: string, teamIds: readonly number[]): Promise<number[]> {
  if (!teamIds.length) return [];
  const teams = await trx
    .selectFrom('team')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', teamIds)
    .execute();
  return teams.map(({ id }) => id);
}

/** Uses up the one that is open for an address which somebody has shown to have; undefined where there is none. */
export async function takeInvitation(
  trx: StateTransaction,
  { organizationId, email }: Pick<Invitation, 'organizationId' | 'email'>,
  now: number,
): Promise<Pick<Invitation, 'role' | 'teamIds'> | undefined> {
  const row = await trx
    .deleteFrom('invite')
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .returning(['role', 'teams'])
    .executeTakeFirst();
  if (!row) return undefined;
  const teamIds = await teamsLeft(trx, organizationId, JSON.parse(row.teams) as number[]);
  return { role: row.role as Role, teamIds };
}
