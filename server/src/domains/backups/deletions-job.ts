/** Writes what people delete beside the scheduled backups, soon after they have. */
import type { Job } from '../../base/jobs/index.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import type { State } from '../../ports/state/state.ts';
import { addDeletions, type Deletion } from './deletions.ts';
import type { Credential } from './repository/keys.ts';
import { openOrMakeRepository, type Repository } from './repository/repository.ts';

/** How soon a deletion is in the list, and how often it is said that there was none, ms. */
const everyMs = 5_000;
const reachMs = 5 * 60_000;

interface DeletionsJobOptions {
  readonly state: State;
  readonly dir: string;
  readonly credential: () => Promise<Credential | undefined>;
}

export function createDeletionsJob({ state, dir, credential }: DeletionsJobOptions): Job {
  let repository: Repository | undefined;
  let writtenTo = -1;
  let writtenAt = 0;
  return {
    name: 'deletion-list',
    title: jobTexts.deletionList.title,
    nodes: 'each',
    everyMs,
    failed: jobTexts.deletionList.failed,
    async run() {
      const now = Date.now();
      const { last } = await state.db
        .selectFrom('deletion')
        .select(({ fn }) => fn.max('id').as('last'))
        .executeTakeFirstOrThrow();
      if ((last ?? 0) === writtenTo && now - writtenAt < reachMs) return;
      repository ??= await openOrMakeRepository({ dir, credential: await credential() });
      await addDeletions(repository, await readAll(state), now);
      writtenTo = last ?? 0;
      writtenAt = now;
    },
  };
}

async function readAll({ db }: State): Promise<Deletion[]> {
  const rows = await db.selectFrom('deletion').selectAll().orderBy('id').execute();
  return rows.map(({ kind, target_id, made_at, deleted_at, detail }) => ({
    kind,
    id: Number(target_id),
    madeAt: Number(made_at),
    deletedAt: Number(deleted_at),
    ...(detail !== '' && { detail }),
  }));
}
