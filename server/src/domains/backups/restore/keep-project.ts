/** Of what was restored one project is wanted: the others go, and organisations with nothing left. */
import { CodedError } from '../../../base/errors.ts';
import { quoted, things } from '../../../base/texts/things.ts';
import { openBlobs } from '../../../ports/blobs/open.ts';
import { openEvents } from '../../../ports/events/open.ts';
import { openMigratedState } from '../../../ports/state/open.ts';
import type { State } from '../../../ports/state/state.ts';
import { forgetProject } from '../../issues/index.ts';
import { deleteProject, listProjects, type Project } from '../../projects/index.ts';

/** `SLUG`, or `ORGANISATION/SLUG` where several have it. May be broken off, and begun again. */
export async function keepProject(dataDir: string, name: string): Promise<void> {
  const { state } = await openMigratedState({ url: '', dataDir });
  await using _ = state;
  const all = await allProjects(state);
  const only = named(all, name);
  const others = all.filter(({ project }) => project !== only.project && !project.settings.internal);
  if (others.length === 0) return;
  await using store = await openEvents({ url: '', dataDir });
  const { events } = store;
  const blobs = openBlobs({ url: '', dataDir });
  const { last } = await state.db
    .selectFrom('deletion')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  for (const { project } of others) {
    await forgetProject({ events, blobs }, project.id);
    await deleteProject(state, project.id);
    // Nobody has deleted it: where it came from it stays.
    await state.db
      .deleteFrom('deletion')
      .where('id', '>', last ?? 0)
      .execute();
  }
  await state.db.deleteFrom('organization').where('id', '!=', only.project.organizationId).execute();
}

/** Throws NOT_FOUND where none or several have it. */
export const findNamed = async (state: State, name: string): Promise<NamedProject> =>
  named(await allProjects(state), name);

function named(all: readonly NamedProject[], name: string): NamedProject {
  const wanted = all.filter(({ organization, project }) =>
    [project.slug, `${organization}/${project.slug}`].includes(name),
  );
  const [only] = wanted.filter(({ project }) => !project.settings.internal);
  if (!only || wanted.length > 1) throw new CodedError('NOT_FOUND', [things.project(quoted(name))]);
  return only;
}

export interface NamedProject {
  readonly organization: string;
  readonly project: Project;
}

async function allProjects(state: State): Promise<NamedProject[]> {
  const organizations = await state.db.selectFrom('organization').select(['id', 'slug']).execute();
  const found = await Promise.all(
    organizations.map(async ({ id, slug }) =>
      (await listProjects(state, id)).map((project) => ({ organization: slug, project })),
    ),
  );
  return found.flat();
}
