/** Projects on hold. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import { findHold, heldAmong, type Hold, removeHold, seenProjects, setHold } from '../../domains/projects/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso } from '../shared/read.ts';
import { tellableProject } from '../shared/tellable.ts';
import * as contract from './contract.ts';

const shapeOf = (hold: Hold | undefined): z.output<typeof contract.getHold.response> => ({
  hold: hold ? { reason: hold.reason, dateCreated: iso(hold.createdAt) } : null,
});

export function holdRoutes(api: Api): void {
  const { state, holds } = api.deps;

  implement(api, contract.listHolds, async ({ caller: { membership } }) => {
    const seen = await seenProjects(state, membership);
    const held = await heldAmong(
      state,
      seen.map(({ id }) => id),
    );
    return held.map(({ slug, reason, createdAt }) => ({ project: slug, reason, dateCreated: iso(createdAt) }));
  });

  implement(api, contract.getHold, async ({ caller: { project } }) => shapeOf(await findHold(state, project.id)));

  implement(api, contract.setHold, async ({ caller: { project, identity }, body: { reason }, recorded }) => {
    await recorded(async (inside, note) => {
      await setHold(inside, project.id, { reason, userId: identity.userId }, Date.now());
      note(tellableProject(project), { details: { reason } });
    });
    await holds?.apply();
    return shapeOf(await findHold(state, project.id));
  });

  implement(api, contract.deleteHold, async ({ caller: { project }, recorded }) => {
    await recorded(async (inside, note) => {
      if (!(await removeHold(inside, project.id))) throw new CodedError('NOT_FOUND', [things.hold(project.slug)]);
      note(tellableProject(project));
    });
    await holds?.apply();
  });
}
