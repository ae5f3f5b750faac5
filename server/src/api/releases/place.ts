/** Where a release is asked for: in the whole organisation, or in one project of it. */
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { Project } from '../../domains/projects/index.ts';
import * as releases from '../../domains/releases/index.ts';
import type { State } from '../../ports/state/state.ts';

export interface Place {
  readonly membership: Membership;
  readonly project?: Project | undefined;
}

/** In a project: only one that is of it. */
export const findRelease =
  (state: State) =>
  async ({ membership, project }: Place, version: string): Promise<releases.ReleaseRow> => {
    const release = await releases.findRelease(state, membership.organizationId, version);
    const known = release && (!project || (await releases.projectsOf(state, release.id)).includes(project.id));
    if (!release || !known) throw new CodedError('NOT_FOUND', [`release ${version}`]);
    return release;
  };
