/**
 * Users of a directory. Each stands for an account, made for them or taken over: of somebody who is a member already, is in
 * no other organisation, or whose address is in a domain that is verified for this one; and of nobody else. Active, they are members;
 * inactive, they are none, and what they had in the organisation has ended.
 */
import { CodedError } from '../../base/errors.ts';
import { scim as texts } from '../../base/texts/provisioning.ts';
import { endSessions, insertMember, insertUser, newId, type User } from '../accounts/index.ts';
import { ownsAddress } from '../providers/index.ts';
import { endMembership } from '../teams/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { alone, type Change } from './context.ts';
import { countOwners, place, roleFor } from './placement.ts';
import { notFound, ScimError } from './protocol/error.ts';
import type { JsonObject } from './protocol/json.ts';
import type { GivenUser, UserContent } from './read.ts';
import { userSchema } from './schemas.ts';

const mostUsers = 20_000;

type Db = State['db'] | StateTransaction;

export interface ScimUser {
  readonly id: string;
  readonly userId: string;
  readonly externalId: string | null;
  /** Whether they are a member: whoever was removed here is not. */
  readonly active: boolean;
  readonly madeAccount: boolean;
  readonly content: UserContent;
  readonly account: User;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const users = (db: Db, organizationId: string) =>
  db
    .selectFrom('scim_user')
    .innerJoin('user', 'user.id', 'scim_user.user_id')
    .leftJoin('member', (join) =>
      join
        .onRef('member.userId', '=', 'scim_user.user_id')
        .onRef('member.organizationId', '=', 'scim_user.organization_id'),
    )
    .selectAll('scim_user')
    .select(['user.email', 'user.name', 'member.id as memberId'])
    .where('scim_user.organization_id', '=', organizationId);

type Row = Awaited<ReturnType<ReturnType<typeof users>['execute']>>[number];

const toUser = (row: Row): ScimUser => ({
  id: row.id,
  userId: row.user_id,
  externalId: row.external_id,
  active: row.active === 1 && row.memberId !== null,
  madeAccount: row.made_account === 1,
  content: JSON.parse(row.content) as UserContent,
  account: { id: row.user_id, email: row.email, name: row.name },
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
});

export interface Look {
  readonly userName?: string;
  readonly externalId?: string;
  readonly id?: string;
}

/** In the order in which they came. */
export async function listUsers(
  db: Db,
  organizationId: string,
  { userName, externalId, id }: Look = {},
  page?: { readonly offset: number; readonly limit: number },
): Promise<{ readonly users: ScimUser[]; readonly total: number }> {
  let query = users(db, organizationId);
  let counted = db
    .selectFrom('scim_user')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('organization_id', '=', organizationId);
  const conditions = [
    ['user_name_key', userName?.toLowerCase()],
    ['external_id', externalId],
    ['id', id],
  ] as const;
  for (const [column, value] of conditions) {
    if (value === undefined) continue;
    query = query.where(`scim_user.${column}`, '=', value);
    counted = counted.where(column, '=', value);
  }
  const ordered = query.orderBy('scim_user.created_at').orderBy('scim_user.id');
  const rows = await (page ? ordered.offset(page.offset).limit(page.limit) : ordered).execute();
  const total = page ? Number((await counted.executeTakeFirstOrThrow()).n) : rows.length;
  return { users: rows.map(toUser), total };
}

/** Throws `ScimError` for one that is not there, or another organisation's. */
export async function findUser(db: Db, organizationId: string, id: string): Promise<ScimUser> {
  const row = await users(db, organizationId).where('scim_user.id', '=', id).executeTakeFirst();
  if (!row) throw notFound(id);
  return toUser(row);
}

export interface GroupOfUser {
  readonly id: string;
  readonly name: string;
}

/** The groups of several users, by id. */
export async function groupsOfUsers(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, GroupOfUser[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('scim_group_member')
    .innerJoin('scim_group', 'scim_group.id', 'scim_group_member.group_id')
    .select(['scim_group_member.scim_user_id as userId', 'scim_group.id', 'scim_group.name'])
    .where('scim_group_member.scim_user_id', 'in', ids)
    .orderBy('scim_group.name')
    .execute();
  return Map.groupBy(rows, ({ userId }) => userId);
}

export const userResource = (user: ScimUser, groups: readonly GroupOfUser[], base: string): JsonObject => ({
  schemas: [userSchema],
  id: user.id,
  ...(user.externalId !== null && { externalId: user.externalId }),
  userName: user.content.userName,
  ...(Object.keys(user.content.name).length > 0 && { name: user.content.name }),
  ...(user.content.displayName !== undefined && { displayName: user.content.displayName }),
  emails: user.content.emails.map((one) => ({ ...one })),
  active: user.active,
  groups: groups.map(({ id, name }) => ({ value: id, display: name, $ref: `${base}/Groups/${id}` })),
  meta: {
    resourceType: 'User',
    created: new Date(user.createdAt).toISOString(),
    lastModified: new Date(user.updatedAt).toISOString(),
    location: `${base}/Users/${user.id}`,
  },
});

async function refuseTaken(change: Change, given: GivenUser, ownId?: string): Promise<void> {
  const { inside, organizationId } = change;
  const { userName } = given.content;
  const sameName = await listUsers(inside.db, organizationId, { userName });
  if (sameName.users.some(({ id }) => id !== ownId)) {
    throw new ScimError(409, texts.userExists(userName), 'uniqueness');
  }
  if (given.externalId === null) return;
  const sameId = await listUsers(inside.db, organizationId, { externalId: given.externalId });
  if (sameId.users.some(({ id }) => id !== ownId)) {
    throw new ScimError(409, texts.externalIdExists(given.externalId), 'uniqueness');
  }
}

interface Found {
  readonly account: User;
  readonly isNew: boolean;
}

/** Whose account a new user of the directory is. Throws `ScimError` for somebody who is not the directory's to take. */
async function accountFor(change: Change, { email, name }: GivenUser): Promise<Found> {
  const { inside, organizationId } = change;
  const { db } = inside;
  const account = await db
    .selectFrom('user')
    .select(['id', 'email', 'name'])
    .where('email', '=', email)
    .executeTakeFirst();
  const isOurs = await ownsAddress(db, organizationId, email);
  if (!account) {
    return inside.transaction(async (trx) => {
      const made = await insertUser(trx, { email, ...(name !== undefined && { name }) });
      // The directory's word is no proof of an address: a provider that asks for one does not find it here.
      if (!isOurs) await trx.updateTable('user').set({ emailVerified: false }).where('id', '=', made.id).execute();
      return { account: made, isNew: true };
    });
  }
  const provisioned = await db
    .selectFrom('scim_user')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', account.id)
    .executeTakeFirst();
  if (provisioned) throw new ScimError(409, texts.provisioned(email), 'uniqueness');
  // Who is in no other organisation can come back: they were removed from this one, or from all.
  const isFree = isOurs || (await memberOf(db, organizationId, account.id)) !== undefined;
  if (!isFree && !(await isOfThisAlone(db, organizationId, account.id))) {
    throw new ScimError(409, texts.elsewhere(email), 'uniqueness');
  }
  return { account, isNew: false };
}

const memberOf = (db: Db, organizationId: string, userId: string) =>
  db
    .selectFrom('member')
    .select(['id', 'role'])
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst();

/** Returns its id. */
export async function createUser(change: Change, given: GivenUser): Promise<string> {
  const { inside, organizationId, now } = change;
  await alone(change);
  const { total } = await listUsers(inside.db, organizationId, {}, { offset: 0, limit: 1 });
  if (total >= mostUsers) throw new ScimError(409, texts.full(mostUsers, 'users'), 'tooMany');
  await refuseTaken(change, given);
  const { account, isNew } = await accountFor(change, given);
  const id = newId();
  await inside.db
    .insertInto('scim_user')
    .values({
      id,
      organization_id: organizationId,
      user_id: account.id,
      user_name_key: given.content.userName.toLowerCase(),
      external_id: given.externalId,
      active: Number(given.active),
      made_account: Number(isNew),
      content: JSON.stringify(given.content),
      created_at: now,
      updated_at: now,
    })
    .execute();
  await setActive(change, { id, account }, given.active);
  return id;
}

/** All that is given, and nothing else stays. */
export async function replaceUser(change: Change, id: string, given: GivenUser): Promise<void> {
  const { inside, organizationId, now } = change;
  await alone(change);
  const before = await findUser(inside.db, organizationId, id);
  await refuseTaken(change, given, id);
  await inside.db
    .updateTable('scim_user')
    .set({
      user_name_key: given.content.userName.toLowerCase(),
      external_id: given.externalId,
      active: Number(given.active),
      content: JSON.stringify(given.content),
      updated_at: now,
    })
    .where('id', '=', id)
    .execute();
  await updateAccount(change, before, given);
  await setActive(change, before, given.active);
}

export async function removeUser(change: Change, id: string): Promise<void> {
  const { inside, organizationId } = change;
  await alone(change);
  const user = await findUser(inside.db, organizationId, id);
  await setActive(change, user, false);
  await inside.db.deleteFrom('scim_user').where('id', '=', id).execute();
}

/**
 * What the directory says of somebody becomes what their account says where the account is this organisation's alone: made
 * for it, and of no other. An address moreover must be in a domain that is verified for it: it opens the account.
 */
async function updateAccount(change: Change, user: ScimUser, given: GivenUser): Promise<void> {
  const { inside, organizationId, note } = change;
  const { db } = inside;
  const { account } = user;
  if (!user.madeAccount || !(await isOfThisAlone(db, organizationId, account.id))) return;
  const target = { id: account.id, name: account.email };
  const isOurs = await ownsAddress(db, organizationId, given.email);
  if (given.name !== undefined && given.name !== account.name) {
    await db
      .updateTable('user')
      .set({ name: given.name, updatedAt: new Date() })
      .where('id', '=', account.id)
      .execute();
    note(target, { action: 'user.update', before: { name: account.name }, after: { name: given.name } });
  }
  if (!isOurs) return;
  if (given.email !== account.email) {
    const other = await db.selectFrom('user').select('id').where('email', '=', given.email).executeTakeFirst();
    if (other) throw new ScimError(409, texts.provisioned(given.email), 'uniqueness');
    note(target, { action: 'user.change_email', before: { email: account.email }, after: { email: given.email } });
  }
  await db
    .updateTable('user')
    .set({ email: given.email, emailVerified: true, updatedAt: new Date() })
    .where('id', '=', account.id)
    .execute();
}

async function isOfThisAlone(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const [other, founder] = await Promise.all([
    db
      .selectFrom('member')
      .select('id')
      .where('userId', '=', userId)
      .where('organizationId', '!=', organizationId)
      .executeTakeFirst(),
    db.selectFrom('installation_owner').select('user_id').where('user_id', '=', userId).executeTakeFirst(),
  ]);
  return !other && !founder;
}

/** Makes somebody a member, or ends that with all that they have in the organisation. */
async function setActive(
  change: Change,
  { id, account }: Pick<ScimUser, 'id' | 'account'>,
  isActive: boolean,
): Promise<void> {
  const { inside, organizationId, note, touched, gone } = change;
  const { db } = inside;
  const target = { id: account.id, name: account.email };
  const member = await memberOf(db, organizationId, account.id);
  if (isActive) {
    if (!member) {
      const role = await roleFor(change, id);
      await inside.transaction((trx) => insertMember(trx, { organizationId, userId: account.id, role }));
      note(target, { action: 'member.add', details: { role } });
      touched.add(account.id);
    }
    await place(change, [id]);
    return;
  }
  if (!member) return;
  if (member.role === 'owner' && (await countOwners(db, organizationId)) <= 1) {
    throw new CodedError('LAST_OWNER', [account.name]);
  }
  const membership = { organizationId, memberId: member.id, userId: account.id, keepsBuildTokens: false };
  await inside.transaction(async (trx) => {
    await endMembership(trx, membership);
    const elsewhere = await trx.selectFrom('member').select('id').where('userId', '=', account.id).executeTakeFirst();
    // With nothing left to see, there is nothing to be signed in for.
    if (!elsewhere) await endSessions(trx, { userId: account.id });
  });
  note(target, { action: 'member.remove', details: { role: member.role, keepsBuildTokens: false } });
  touched.add(account.id);
  gone.add(account.id);
}
