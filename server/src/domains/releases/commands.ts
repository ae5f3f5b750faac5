/** What clients and people do to releases. */
import { sql } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import { type ReleasedCommits, resolveByCommits } from '../issues/index.ts';
import { noteChanges } from '../../ports/state/change-notes.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { limits } from '../../base/texts/things.ts';
import { type ReportedCommit, type ReportedRef, setCommits, setHeads, type StoredCommit } from './commits.ts';
import { toRelease, type DeployRow, type ReleaseRow } from '../release-order/index.ts';

export interface ReleaseChange {
  /** Added to those that the release has. */
  readonly projectIds: readonly number[];
  /** What is undefined stays; null takes away. */
  readonly ref?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly dateStarted?: number | null | undefined;
  readonly dateReleased?: number | null | undefined;
  readonly status?: 'open' | 'archived' | undefined;
  /** Who says so, where a person does. */
  readonly userId?: string | undefined;
  readonly commits?: readonly ReportedCommit[] | undefined;
  readonly refs?: readonly ReportedRef[] | undefined;
}

interface Named {
  readonly organizationId: string;
  /** As `checkedVersion` gives it. */
  readonly version: string;
}

export interface SavedRelease {
  readonly release: ReleaseRow;
  readonly created: boolean;
  /** Issues that its commits have resolved. */
  readonly resolved: readonly { readonly id: number; readonly projectId: number }[];
}

/** Makes the release where there is none, and changes it as said. Issues that its commits fix are resolved in it. */
export async function saveRelease(
  state: State,
  { organizationId, version }: Named,
  change: ReleaseChange,
  now: number,
): Promise<SavedRelease> {
  return state.transaction(async (trx) => {
    const made = await trx
      .insertInto('release')
      .values({
        organization_id: organizationId,
        version,
        status: 'open',
        ref: null,
        url: null,
        date_started: null,
        date_released: null,
        ordered_at: now,
        created_at: now,
        is_named: 1,
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'version']).doNothing())
      .returning('id')
      .executeTakeFirst();
    const { ref, url, dateStarted, dateReleased, status } = change;
    const before =
      status !== undefined &&
      (await trx
        .selectFrom('release')
        .select('status')
        .where('organization_id', '=', organizationId)
        .where('version', '=', version)
        .executeTakeFirst());
    const row = await trx
      .updateTable('release')
      .set({
        is_named: 1,
        ...(ref !== undefined && { ref }),
        ...(url !== undefined && { url }),
        ...(status !== undefined && { status }),
        ...(dateStarted !== undefined && { date_started: dateStarted }),
        ...(dateReleased !== undefined && {
          date_released: dateReleased,
          ordered_at: dateReleased === null ? sql<number>`created_at` : dateReleased,
        }),
      })
      .where('organization_id', '=', organizationId)
      .where('version', '=', version)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (before && before.status !== row.status) {
      const what = row.status === 'archived' ? 'release.archived' : 'release.reopened';
      await noteChanges(trx, [{ what, targetId: row.id, userId: change.userId ?? null, at: now }]);
    }
    const place = { organizationId, releaseId: row.id };
    if (change.projectIds.length) {
      await trx
        .insertInto('release_project')
        .values(
          [...new Set(change.projectIds)].map((id) => ({
            release_id: row.id,
            project_id: id,
            first_seen: null,
            last_seen: null,
          })),
        )
        .onConflict((conflict) => conflict.columns(['release_id', 'project_id']).doNothing())
        .execute();
    }
    const commits = change.commits ? await setCommits(trx, place, change.commits, now) : [];
    if (change.refs?.length) await setHeads(trx, place, change.refs, now);
    const release = toRelease(row);
    const resolved = await resolveByCommits(trx, await releasedCommits(trx, release, commits), now);
    return { release, created: made !== undefined, resolved };
  });
}

async function releasedCommits(
  trx: StateTransaction,
  release: ReleaseRow,
  commits: readonly StoredCommit[],
): Promise<ReleasedCommits> {
  const projects = await trx
    .selectFrom('release_project')
    .select('project_id')
    .where('release_id', '=', release.id)
    .execute();
  return {
    organizationId: release.organizationId,
    projectIds: projects.map((project) => project.project_id),
    release: { version: release.version, orderedAt: release.orderedAt },
    commits: commits.map(({ storedId, id, repository, message, authorEmail }) => {
      return { id: storedId, sha: id, repository, message, authorEmail };
    }),
  };
}

/** Deletes it with its commits' places and its deploys; the commits themselves stay with their repository. */
export async function deleteRelease(state: State, releaseId: number): Promise<void> {
  await state.db.deleteFrom('release').where('id', '=', releaseId).execute();
}

export type NewDeploy = Omit<DeployRow, 'id'>;

const maxDeploys = 10_000;

/** Throws `INPUT_INVALID` for more deploys of one release than anybody can look at. */
export async function createDeploy(
  state: State,
  releaseId: number,
  deploy: NewDeploy,
  now: number,
): Promise<DeployRow> {
  const { id } = await state.transaction(async (trx) => {
    const { n } = await trx
      .selectFrom('deploy')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('release_id', '=', releaseId)
      .executeTakeFirstOrThrow();
    if (Number(n) >= maxDeploys) {
      throw new CodedError('INPUT_INVALID', [limits.deploys(maxDeploys)]);
    }
    await trx.updateTable('release').set({ is_named: 1 }).where('id', '=', releaseId).execute();
    return trx
      .insertInto('deploy')
      .values({
        release_id: releaseId,
        environment: deploy.environment,
        name: deploy.name,
        url: deploy.url,
        date_started: deploy.dateStarted,
        date_finished: deploy.dateFinished,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  });
  return { id, ...deploy };
}

/** Whether the release has the deploy already: by its name, of who gives each deploy one of its own. */
export async function hasDeploy(
  { db }: Pick<State, 'db'>,
  releaseId: number,
  { environment, name }: Pick<NewDeploy, 'environment' | 'name'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('deploy')
    .select('id')
    .where('release_id', '=', releaseId)
    .where('environment', '=', environment)
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
