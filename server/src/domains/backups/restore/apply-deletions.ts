/** Deletes again what people had deleted after the backup: what a list says, where it is there. */
import { sameDays } from '../../../base/retention.ts';
import { openBlobs } from '../../../ports/blobs/open.ts';
import { openEvents } from '../../../ports/events/open.ts';
import { openMigratedState } from '../../../ports/state/open.ts';
import type { State } from '../../../ports/state/state.ts';
import { chunksOf } from '../../../base/chunks.ts';
import type { TextBox } from '../../../base/secrets/index.ts';
import { eraseAgain } from '../../erase/index.ts';
import { forgetProject, removeIssues } from '../../issues/index.ts';
import { deleteProject } from '../../projects/index.ts';
import { type Deletion, sameDeletion } from '../deletions.ts';

export interface Applied {
  readonly people: number;
  readonly projects: number;
  readonly issues: number;
}

/** Nothing ages out of what was restored: the server knows how long it is kept. The engine's times end in 2106. */
const longestDays = 10_000;

/** `box`: of the installation's key; without it people are not known again. May be broken off, and begun again. Nobody else has the stores open. */
export async function applyDeletions(
  dataDir: string,
  deletions: readonly Deletion[],
  box: TextBox | undefined,
): Promise<Applied> {
  if (deletions.length === 0) return { people: 0, projects: 0, issues: 0 };
  const { state } = await openMigratedState({ url: '', dataDir });
  await using _ = state;
  const [projects, issues, discarded] = await Promise.all(
    (['project', 'issue', 'discarded_issue'] as const).map((kind) => stillThere(state, kind, deletions)),
  );
  const people = deletions.flatMap(({ kind, id, detail = '' }) => (kind === 'person' ? [{ id, detail }] : []));
  const applied = {
    people: 0,
    projects: projects?.length ?? 0,
    issues: (issues?.length ?? 0) + (discarded?.length ?? 0),
  };
  if (applied.projects + applied.issues === 0 && people.length === 0) return applied;
  await using store = await openEvents({ url: '', dataDir });
  const { events } = store;
  const blobs = openBlobs({ url: '', dataDir });
  for (const id of projects ?? []) {
    await forgetProject({ events, blobs }, id);
    await deleteProject(state, id);
  }
  // Those of such a project are gone with it.
  await removeIssues({ state, events, blobs }, issues ?? [], 'delete');
  await removeIssues({ state, events, blobs }, discarded ?? [], 'discard');
  if (people.length === 0 || !box) return applied;
  // Tables of the backup may be of an earlier version.
  await store.prepare({ retentionDays: longestDays, keptDays: sameDays(longestDays) });
  return { ...applied, people: await eraseAgain({ state, events, blobs }, box, people) };
}

/** Ids of those that are, and are the same that were deleted. */
async function stillThere({ db }: State, kind: Deletion['kind'], deletions: readonly Deletion[]): Promise<number[]> {
  const wanted = deletions.filter((one) => one.kind === kind);
  const same = new Set(wanted.map(sameDeletion));
  const found: number[] = [];
  for (const ids of chunksOf(
    wanted.map(({ id }) => id),
    500,
  )) {
    const rows = await db
      .selectFrom(kind === 'project' ? 'project' : 'issue')
      .select(['id', 'created_at'])
      .where('id', 'in', ids)
      .execute();
    found.push(
      ...rows.flatMap(({ id, created_at }) =>
        same.has(sameDeletion({ kind, id, madeAt: Number(created_at) })) ? [id] : [],
      ),
    );
  }
  return found;
}
