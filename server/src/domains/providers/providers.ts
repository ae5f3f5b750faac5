/** Providers of organisations: made, changed, listed and deleted. */
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import type { SignInProviderTable } from '../../ports/state/provider-tables.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { newId, providerWay, type Role } from '../accounts/index.ts';
import { checked } from '../projects/index.ts';
import { limits, taken, things } from '../../base/texts/things.ts';
import { setDomains } from './domains.ts';
import { providerFields } from './input.ts';
import { checkSettings, type Kind, kindFacts, type Settings } from './kinds.ts';
import type { MappingRow, Moment, Provider } from './provider.ts';
import { openSettings, sealSettings } from './vault.ts';

export type ProviderFields = z.input<typeof providerFields>;
export type NewProvider = ProviderFields & {
  readonly kind: Kind;
  readonly settings: Settings;
  readonly id?: string | undefined;
};
export type ProviderChange = Partial<ProviderFields> & { readonly settings?: Settings };

/** What everything here is given. */
export interface ProviderStore {
  readonly state: State;
  readonly box: TextBox;
}

const maxProviders = 50;

type Db = State['db'] | StateTransaction;

async function read(
  { db, box }: { readonly db: Db; readonly box: TextBox },
  rows: readonly Selectable<SignInProviderTable>[],
): Promise<Provider[]> {
  if (!rows.length) return [];
  const ids = rows.map(({ id }) => id);
  const [domains, mappings] = await Promise.all([
    db.selectFrom('sign_in_domain').selectAll().where('provider_id', 'in', ids).orderBy('domain').execute(),
    db.selectFrom('sign_in_mapping').selectAll().where('provider_id', 'in', ids).orderBy('id').execute(),
  ]);
  return rows.map((row) => {
    const place = { id: row.id, kind: row.kind as Kind };
    return {
      ...place,
      organizationId: row.organization_id,
      name: row.name,
      domains: domains
        .filter((one) => one.provider_id === row.id)
        .map(({ domain, proof, verified_at }) => ({ domain, proof, verifiedAt: verified_at })),
      settings: openSettings(box, place, JSON.parse(row.settings) as Settings),
      enabled: row.enabled === 1,
      joins: row.joins === 1,
      defaultRole: row.default_role as Role,
      mapping: mappings
        .filter((one) => one.provider_id === row.id)
        .map(({ value, role, team_id }) => ({ value, role: role as Role | null, teamId: team_id })),
      problem: row.problem,
      problemAt: row.problem_at,
      lastUsedAt: row.last_used_at,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  });
}

export async function listProviders(
  { state: { db }, box }: ProviderStore,
  organizationId: string,
): Promise<Provider[]> {
  const rows = await db
    .selectFrom('sign_in_provider')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return read({ db, box }, rows);
}

/** How many people each of the providers knows. */
export async function countPeople({ db }: State, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (!ids.length) return new Map();
  const rows = await db
    .selectFrom('sign_in_identity')
    .select(({ fn }) => ['provider_id', fn.count<number>('user_id').distinct().as('n')])
    .where('provider_id', 'in', ids)
    .groupBy('provider_id')
    .execute();
  return new Map(rows.map(({ provider_id, n }) => [provider_id, Number(n)]));
}

/** Of any organisation, whether or not it is enabled. */
export async function findProvider(
  { db, box }: { readonly db: Db; readonly box: TextBox },
  id: string,
): Promise<Provider | undefined> {
  const rows = await db.selectFrom('sign_in_provider').selectAll().where('id', '=', id).execute();
  return (await read({ db, box }, rows))[0];
}

/** What anybody may know of a provider. */
export type ShownProvider = Pick<Provider, 'id' | 'kind' | 'name'>;

const maxShown = 20;

/** For the sign-in page. */
export async function shownProviders({ db }: State): Promise<ShownProvider[]> {
  const rows = await db
    .selectFrom('sign_in_provider')
    .select(['id', 'kind', 'name'])
    .where('enabled', '=', 1)
    .orderBy('name')
    .orderBy('id')
    .limit(maxShown)
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as Kind }));
}

/** Where people with such addresses sign in. */
export async function providerForDomain({ db }: State, domain: string): Promise<ShownProvider | undefined> {
  const row = await db
    .selectFrom('sign_in_domain')
    .innerJoin('sign_in_provider', 'sign_in_provider.id', 'sign_in_domain.provider_id')
    .select(['sign_in_provider.id', 'sign_in_provider.kind', 'sign_in_provider.name'])
    .where('sign_in_domain.domain', '=', domain)
    .where('sign_in_domain.verified_at', 'is not', null)
    .where('sign_in_provider.enabled', '=', 1)
    .executeTakeFirst();
  return row && { ...row, kind: row.kind as Kind };
}

const flags = ({ enabled, joins }: Pick<Provider, 'enabled' | 'joins'>) => ({
  enabled: enabled ? 1 : 0,
  joins: joins ? 1 : 0,
});

/** Returns its id. Throws `INPUT_INVALID`, `DOMAIN_TAKEN`. */
export async function createProvider(
  { state, box }: ProviderStore,
  organizationId: string,
  input: NewProvider,
  moment: Moment,
): Promise<string> {
  const { kind } = input;
  const fields = checked(providerFields, input);
  const settings = { ...checkSettings(kind, input.settings), ...(await kindFacts[kind].made?.make(moment.now)) };
  const id = input.id ?? newId().toLowerCase().slice(0, 16);
  await state.transaction(async (trx) => {
    const others = await trx
      .selectFrom('sign_in_provider')
      .select('id')
      .where('organization_id', '=', organizationId)
      .execute();
    if (others.length >= maxProviders) {
      throw new CodedError('INPUT_INVALID', [limits.providers(maxProviders)]);
    }
    const same = await trx.selectFrom('sign_in_provider').select('id').where('id', '=', id).executeTakeFirst();
    if (same) throw new CodedError('SLUG_TAKEN', [taken.id(id)]);
    await trx
      .insertInto('sign_in_provider')
      .values({
        id,
        organization_id: organizationId,
        kind,
        name: fields.name,
        settings: JSON.stringify(sealSettings(box, { id, kind }, settings)),
        ...flags(fields),
        default_role: fields.defaultRole,
        problem: '',
        problem_at: null,
        last_used_at: null,
        created_at: moment.now,
        updated_at: moment.now,
      })
      .execute();
    await setDomains(trx, id, fields.domains, moment);
    await setMapping(trx, { id, organizationId }, fields.mapping);
  });
  return id;
}

/**
 * What is undefined stays. Returns users whose sessions ended with it. Throws `INPUT_INVALID`, `DOMAIN_TAKEN`,
 * `PROVIDER_DEMANDED`.
 */
export async function changeProvider(
  { state, box }: ProviderStore,
  provider: Provider,
  change: ProviderChange,
  moment: Moment,
): Promise<string[]> {
  const { id, kind, organizationId } = provider;
  const fields = checked(providerFields, {
    ...provider,
    domains: provider.domains.map(({ domain }) => domain),
    ...defined(change),
  });
  const settings = checkSettings(kind, change.settings ?? {}, provider.settings);
  return state.transaction(async (trx) => {
    const ended = provider.enabled && !fields.enabled ? await endUse(trx, provider) : [];
    await trx
      .updateTable('sign_in_provider')
      .set({
        name: fields.name,
        settings: JSON.stringify(sealSettings(box, provider, settings)),
        ...flags(fields),
        default_role: fields.defaultRole,
        // What went wrong with other settings says nothing of these.
        ...(change.settings && { problem: '', problem_at: null }),
        updated_at: moment.now,
      })
      .where('id', '=', id)
      .execute();
    // Another place may give the same subject to somebody else.
    if (kindFacts[kind].addresses.some((key) => settings[key] !== provider.settings[key])) {
      await trx.deleteFrom('sign_in_identity').where('provider_id', '=', id).execute();
    }
    if (change.domains) await setDomains(trx, id, fields.domains, moment);
    if (change.mapping) await setMapping(trx, { id, organizationId }, fields.mapping);
    return ended;
  });
}

/** Who is known there is forgotten; they stay members. Returns users whose sessions ended. Throws `PROVIDER_DEMANDED`. */
export async function deleteProvider({ state }: ProviderStore, provider: Provider): Promise<string[]> {
  return state.transaction(async (trx) => {
    const ended = await endUse(trx, provider);
    await trx.deleteFrom('sign_in_provider').where('id', '=', provider.id).execute();
    return ended;
  });
}

const defined = <T extends object>(change: T): Partial<T> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Sign-ins that are under way end, and so do sessions. Returns whose they were. Throws `PROVIDER_DEMANDED`. */
async function endUse(trx: StateTransaction, { id, name }: Provider): Promise<string[]> {
  const demand = await trx
    .selectFrom('sign_in_policy')
    .select('organization_id')
    .where('provider_id', '=', id)
    .executeTakeFirst();
  if (demand) throw new CodedError('PROVIDER_DEMANDED', [name]);
  await trx.deleteFrom('sign_in_flow').where('provider_id', '=', id).execute();
  const ended = await trx.deleteFrom('session').where('way', '=', providerWay(id)).returning('userId').execute();
  return [...new Set(ended.map(({ userId }) => userId))];
}

async function setMapping(
  trx: StateTransaction,
  { id, organizationId }: Pick<Provider, 'id' | 'organizationId'>,
  rows: readonly MappingRow[],
): Promise<void> {
  await trx.deleteFrom('sign_in_mapping').where('provider_id', '=', id).execute();
  if (!rows.length) return;
  const teams = await trx.selectFrom('team').select('id').where('organization_id', '=', organizationId).execute();
  const known = new Set(teams.map((team) => team.id));
  const strange = rows.find(({ teamId }) => teamId !== null && !known.has(teamId));
  if (strange) throw new CodedError('NOT_FOUND', [things.team(strange.teamId ?? '')]);
  await trx
    .insertInto('sign_in_mapping')
    .values(rows.map(({ value, role, teamId }) => ({ provider_id: id, value, role, team_id: teamId })))
    .execute();
}
