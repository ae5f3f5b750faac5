/**
 * Who somebody is here whom a provider vouches for. They are known by provider and subject, and else by an address: one
 * that the provider has verified, in a domain that is verified for it, of somebody who belongs to its organisation or may
 * come to. Everybody else is refused, with a reason that says what to do.
 */
import type { Audit, Draft, Source } from '../audit/index.ts';
import { insertMember, insertUser, type User } from '../accounts/index.ts';
import { addToTeams, placeMember, takeInvitation } from '../teams/index.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { providerFailures } from '../../base/texts/providers.ts';
import { mapped } from './mapping.ts';
import type { Provider } from './provider.ts';
import { findProvider } from './providers.ts';
import { SignInRefused } from './refused.ts';

/** What a provider says of somebody, after all that it says was checked. */
export interface Asserted {
  /** What it calls them for good. */
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  readonly groups: readonly string[];
  /** Whether the person showed a second factor there. */
  readonly secondFactor: boolean;
}

export interface Admitted {
  readonly user: User;
  readonly provider: Provider;
  readonly secondFactor: boolean;
  /** Whether roles or teams are not as they were. */
  readonly changed: boolean;
}

export interface AdmitStore {
  readonly state: State;
  readonly box: TextBox;
  readonly audit: Audit;
}

export interface Admission {
  readonly providerId: string;
  readonly asserted: Asserted;
  readonly source: Source;
  readonly now: number;
}

const longestSubject = 255;

/** Throws `SignInRefused`. */
export async function admit({ state, box, audit }: AdmitStore, admission: Admission): Promise<Admitted> {
  const { providerId, asserted, source, now } = admission;
  const { subject } = asserted;
  if (subject === '' || subject.length > longestSubject) throw new SignInRefused('failed', providerFailures.subject);
  return state.transaction(async (trx) => {
    // Read in here: one that was disabled a moment ago lets nobody in.
    const provider = await findProvider({ db: trx, box }, providerId);
    if (!provider?.enabled) throw new SignInRefused('provider_gone');
    const { organizationId } = provider;
    const found = (await known(trx, provider, subject)) ?? (await byAddress(trx, provider, asserted));
    const user = found ?? (await newcomer(trx, provider, asserted, now));
    const facts = { actor: { type: 'user', ...user }, source } as const;
    const drafts: Draft[] = [];
    const tell = (action: Draft['action'], target: Draft['target'], told: Partial<Draft> = {}): void =>
      void drafts.push({ ...told, ...facts, organizationId, action, target });

    const { role, ...teams } = mapped(provider, asserted.groups);
    const place = { organizationId, userId: user.id };
    const { before, after, changed } = await placeMember(trx, place, { role, ...teams }, now);
    const member = { id: user.id, name: user.email };
    if (!found) tell('member.join', member, { details: { role: after.role } });
    else if (changed) tell('member.update', member, { before: { ...before }, after: { ...after } });

    const linked = await link(trx, { providerId, subject, userId: user.id }, now);
    if (linked) tell('user.link_provider', member, { details: { provider: provider.name } });
    await trx
      .updateTable('sign_in_provider')
      .set({ last_used_at: now, problem: '', problem_at: null })
      .where('id', '=', providerId)
      .execute();
    await audit.record(trx, drafts);
    return { user, provider, secondFactor: asserted.secondFactor, changed: changed || !found };
  });
}

async function memberOf(trx: StateTransaction, organizationId: string, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

const isOwnDomain = ({ domains }: Provider, email: string): boolean =>
  domains.some(({ domain, verifiedAt }) => verifiedAt !== null && domain === domainOf(email));

/**
 * Known by their subject, as long as they belong to the organisation by an address of its domains: who has left, or moved
 * to an address of their own, is not the provider's to let in.
 */
async function known(trx: StateTransaction, provider: Provider, subject: string): Promise<User | undefined> {
  const user = await trx
    .selectFrom('sign_in_identity')
    .innerJoin('user', 'user.id', 'sign_in_identity.user_id')
    .select(['user.id', 'user.email', 'user.name'])
    .where('sign_in_identity.provider_id', '=', provider.id)
    .where('sign_in_identity.subject', '=', subject)
    .executeTakeFirst();
  if (!user || !isOwnDomain(provider, user.email)) return undefined;
  return (await memberOf(trx, provider.organizationId, user.id)) ? user : undefined;
}

/** The address by which somebody may be known, lower case. Throws `SignInRefused`. */
function addressOf(provider: Provider, { email, emailVerified }: Asserted): string {
  if (!email) throw new SignInRefused('address_missing');
  const given = email.trim();
  // Others have letters that become these in lower case.
  if (given.length > 254 || !/^[!-?A-~]+@[!-?A-~]+$/.test(given)) throw new SignInRefused('address_missing');
  const address = given.toLowerCase();
  if (!emailVerified) throw new SignInRefused('address_unverified');
  if (!isOwnDomain(provider, address)) throw new SignInRefused('domain_foreign');
  return address;
}

/** Undefined where nobody has the address. */
async function byAddress(trx: StateTransaction, provider: Provider, asserted: Asserted): Promise<User | undefined> {
  const email = addressOf(provider, asserted);
  const row = await trx
    .selectFrom('user')
    .select(['id', 'email', 'name', 'emailVerified'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (!row) return undefined;
  const { emailVerified, ...user } = row;
  const isMember = await memberOf(trx, provider.organizationId, user.id);
  if (!isMember || !emailVerified) throw new SignInRefused('account_elsewhere');
  return user;
}

/** Who is invited comes as that says; others where people may come by themselves. */
async function newcomer(trx: StateTransaction, provider: Provider, asserted: Asserted, now: number): Promise<User> {
  const { organizationId } = provider;
  const email = addressOf(provider, asserted);
  const invitation = await takeInvitation(trx, { organizationId, email }, now);
  if (!provider.joins && !invitation) throw new SignInRefused('not_member');
  const name = asserted.name?.trim().slice(0, 100);
  const user = await insertUser(trx, { email, ...(name && { name }) });
  await insertMember(trx, { organizationId, userId: user.id, role: invitation?.role ?? provider.defaultRole });
  await addToTeams(trx, user.id, invitation?.teamIds ?? [], now);
  return user;
}

/** Whether they were not known before. Whoever had the subject before has it no more. */
async function link(
  trx: StateTransaction,
  { providerId, subject, userId }: { readonly providerId: string; readonly subject: string; readonly userId: string },
  now: number,
): Promise<boolean> {
  const used = await trx
    .updateTable('sign_in_identity')
    .set({ last_used_at: now })
    .where('provider_id', '=', providerId)
    .where('subject', '=', subject)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  if (used) return false;
  await trx
    .insertInto('sign_in_identity')
    .values({ provider_id: providerId, subject, user_id: userId, created_at: now, last_used_at: now })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'subject']).doUpdateSet({ user_id: userId, last_used_at: now }),
    )
    .execute();
  return true;
}
