/** Queries and commands for repositories. */
import { CodedError } from '../../base/errors.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { taken, things, limits } from '../../base/texts/things.ts';
import { invalid, ofField } from '../../base/texts/validation.ts';
import { toRepository } from './rows.ts';
import type { Provider, Repository } from './types.ts';

/** Repositories of one organisation: so few that all are read at once. */
const maxRepositories = 1_000;

/** Those that were set up first, each kind by name. */
export async function listRepositories(state: State, organizationId: string): Promise<Repository[]> {
  const rows = await state.db
    .selectFrom('repository')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('is_configured', 'desc')
    .orderBy('name')
    .execute();
  return rows.map(toRepository);
}

export async function getRepository(state: State, organizationId: string, id: string): Promise<Repository | undefined> {
  if (!/^\d{1,9}$/.test(id)) return undefined;
  const row = await state.db
    .selectFrom('repository')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', Number(id))
    .executeTakeFirst();
  return row && toRepository(row);
}

/** Ids by name; makes those that are not there, as what commits named. */
export async function repositoryIds(
  trx: StateTransaction,
  organizationId: string,
  names: ReadonlySet<string>,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await trx
    .selectFrom('repository')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .execute();
  const ids = new Map(rows.map((row) => [row.name, row.id]));
  const missing = [...names].filter((name) => !ids.has(name)).toSorted();
  if (rows.length + missing.length > maxRepositories) {
    throw new CodedError('INPUT_INVALID', [limits.repositories(maxRepositories)]);
  }
  for (const name of missing) {
    const row = await trx
      .insertInto('repository')
      .values({
        organization_id: organizationId,
        name,
        provider: 'other',
        url: '',
        link_template: '',
        default_branch: '',
        is_configured: 0,
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doUpdateSet({ name }))
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(name, row.id);
  }
  return ids;
}

export interface RepositoryInput {
  /** Read from the address when left out. */
  readonly name?: string | undefined;
  readonly provider?: Provider | undefined;
  readonly url: string;
  readonly linkTemplate?: string | null | undefined;
  readonly defaultBranch?: string | null | undefined;
}

const plainUrl = (url: string): string => url.replace(/(?:\.git)?\/*$/i, '');

/** `acme/shop` of `https://github.com/acme/shop`. */
function nameFrom(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  const name = path.replace(/^\/+/, '').slice(0, 200);
  if (name === '') throw new CodedError('INPUT_INVALID', [ofField('url', invalid.repository)]);
  return name;
}

function providerFrom(url: string): Provider {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return (['github', 'gitlab', 'bitbucket'] as const).find((provider) => host.split('.').includes(provider)) ?? 'other';
}

/** One that commits named already is set up by this. Throws `SLUG_TAKEN` for a name that was set up. */
export async function createRepository(
  state: State,
  organizationId: string,
  input: RepositoryInput,
  now: number,
): Promise<Repository> {
  const url = plainUrl(input.url);
  const name = input.name ?? nameFrom(url);
  return state.transaction(async (trx) => {
    const ids = await repositoryIds(trx, organizationId, new Set([name]), now);
    const row = await trx
      .updateTable('repository')
      .set({
        provider: input.provider ?? providerFrom(url),
        url,
        link_template: input.linkTemplate ?? '',
        default_branch: input.defaultBranch ?? '',
        is_configured: 1,
      })
      .where('id', '=', ids.get(name) ?? 0)
      .where('is_configured', '=', 0)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new CodedError('SLUG_TAKEN', [taken.repository(name)]);
    return toRepository(row);
  });
}

/** What is undefined stays. Throws `SLUG_TAKEN` for a name that another has. */
export async function updateRepository(
  state: State,
  organizationId: string,
  repository: Repository,
  change: Partial<RepositoryInput>,
): Promise<Repository> {
  return state.transaction(async (trx) => {
    const { name = repository.name } = change;
    const other = await trx
      .selectFrom('repository')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('name', '=', name)
      .where('id', '!=', repository.id)
      .executeTakeFirst();
    if (other) throw new CodedError('SLUG_TAKEN', [taken.repository(name)]);
    const row = await trx
      .updateTable('repository')
      .set({
        name,
        is_configured: 1,
        ...(change.provider !== undefined && { provider: change.provider }),
        ...(change.url !== undefined && { url: plainUrl(change.url) }),
        ...(change.linkTemplate !== undefined && { link_template: change.linkTemplate ?? '' }),
        ...(change.defaultBranch !== undefined && { default_branch: change.defaultBranch ?? '' }),
      })
      .where('id', '=', repository.id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new CodedError('NOT_FOUND', [things.repository(repository.name)]);
    return toRepository(row);
  });
}

/** With its commits and code mappings. */
export async function deleteRepository(state: State, id: number): Promise<void> {
  await state.db.deleteFrom('repository').where('id', '=', id).execute();
}
