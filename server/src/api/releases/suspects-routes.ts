/** Suspect commits of issues. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { findSuspects } from '../../domains/releases/index.ts';
import { listCodeMappings } from '../../domains/repositories/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { toEntries } from '../events/entries.ts';
import { parsePayload } from '../events/shapes.ts';
import { topFrameOf } from '../events/frames.ts';
import { toSuspects } from './shapes.ts';

type Suspects = z.output<typeof contract.listSuspectCommits.response>;

export function suspectRoutes(api: Api): void {
  const { state, events } = api.deps;

  const suspectsOf = async (
    project: Project,
    event: issues.StoredEventWithPayload | undefined,
    version: string | null,
  ): Promise<Suspects> => {
    const { organizationId } = project;
    const frame = event && topFrameOf(toEntries(parsePayload(event.payload)));
    const mappings = await listCodeMappings(state, organizationId, [project.id]);
    return toSuspects(await findSuspects(state, organizationId, { version, frame, mappings }), frame, version);
  };

  implement(api, contract.listSuspectCommits, async ({ caller: { issue, project } }) => {
    const hashes = await issues.hashesOf(state, issue.id);
    const scope = { projectId: project.id, hashes, nowMs: Date.now() };
    return suspectsOf(project, await issues.pickEvent({ events }, scope, 'latest'), issue.firstRelease);
  });

  implement(api, contract.listCommitters, async ({ caller: { project }, params }) => {
    const event = await issues.findEvent({ events }, [project.id], params.event);
    if (!event) throw new CodedError('NOT_FOUND', [things.event(params.event)]);
    const owners = await issues.ownersOfHashes(state, project.id, [event.group_hash]);
    const issueId = owners.get(event.group_hash);
    const issue = issueId === undefined ? undefined : await issues.findIssue(state, String(issueId), [project]);
    const { commits } = await suspectsOf(project, event, issue?.firstRelease ?? (event.release || null));
    const byAuthor = Map.groupBy(commits, ({ author }) => author?.email ?? author?.name ?? '');
    return {
      committers: [...byAuthor.values()].map((own) => ({
        author: own[0]?.author ?? { name: null, email: null },
        commits: own,
      })),
    };
  });
}
