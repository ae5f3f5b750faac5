/** Where a release is asked for: in the whole organisation, or in one project of it. */
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { type Project, sees } from '../../domains/projects/index.ts';
import * as releases from '../../domains/releases/index.ts';
import type { State } from '../../ports/state/state.ts';
import { things } from '../../base/texts/things.ts';

export interface Place {
  readonly membership: Membership;
  readonly project?: Project | undefined;
}

/** In a project: only one that is of it. Of others: one that is of a project that is seen, or of none. */
export const findRelease =
  (state: State) =>
  async ({ membership, project }: Place, version: string): Promise<releases.ReleaseRow> => {
    const release = await releases.findRelease(state, membership.organizationId, version);
    const own = release && (project || membership.within) ? await releases.projectsOf(state, release.id) : [];
    const isKnown = project ? own.includes(project.id) : !own.length || own.some((id) => sees(membership, id));
    if (!release || !isKnown) throw new CodedError('NOT_FOUND', [things.release(version)]);
    return release;
  };

/** A release is one for all of its projects: throws `PERMISSION_DENIED` for who does not see them all. */
export async function checkWhole(state: State, membership: Membership, releaseId: number): Promise<void> {
  if (!membership.within) return;
  const own = await releases.projectsOf(state, releaseId);
  if (!own.every((id) => sees(membership, id))) throw new CodedError('PERMISSION_DENIED');
}
