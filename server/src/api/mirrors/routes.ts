/** The mirror of a project. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { invalid } from '../../base/texts/validation.ts';
import { mirrors as texts } from '../../base/texts/mirror.ts';
import { requests } from '../../base/texts/requests.ts';
import { things } from '../../base/texts/things.ts';
import { maxAgeMs, type Mirror, readTarget, shownDsn, type Target } from '../../domains/mirror/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import { tellableProject } from '../shared/tellable.ts';
import { compareRoute } from './compare.ts';
import * as contract from './contract.ts';

export function mirrorRoutes(api: Api): void {
  compareRoute(api);
  const { mirrors, config, live, getUrl } = api.deps;

  const answer = async (projectId: number): Promise<z.output<typeof contract.getMirror.response>> => {
    const mirror = await mirrors.find(projectId);
    return {
      mirror: mirror ? shapeOf(mirror) : null,
      maxBytes: config.mirrorMaxBytes,
      maxHours: maxAgeMs / 3_600_000,
    };
  };

  const shapeOf = (mirror: Mirror) => {
    const { records, bytes, oldestMs, pausedUntilMs } = mirrors.backlog(mirror.projectId);
    return {
      target: mirror.target ? shownDsn(mirror.target) : null,
      enabled: mirror.enabled,
      dateCreated: iso(mirror.createdAt),
      forwarded: mirror.forwarded,
      lastForwarded: isoOrNull(mirror.forwardedAt),
      refused: mirror.refused,
      lastRefused: isoOrNull(mirror.refusedAt),
      refusal: mirror.refusal,
      dropped: mirror.dropped,
      lastDropped: isoOrNull(mirror.droppedAt),
      waiting: records,
      waitingBytes: bytes,
      lagMs: oldestMs === undefined ? null : Math.max(0, Date.now() - oldestMs),
      nextAttempt: isoOrNull(pausedUntilMs ?? null),
      failingSince: isoOrNull(mirror.failingSince),
      problem: mirror.target ? mirror.problem : texts.otherKey,
    };
  };

  implement(api, contract.getMirror, async ({ caller }) => answer(caller.project.id));

  implement(api, contract.setMirror, async ({ caller: { project }, body: { dsn, enabled }, recorded }) => {
    // It would forward what the forwarding itself reports.
    if (project.settings.internal) throw new CodedError('INPUT_INVALID', [texts.internal]);
    const said = dsn === undefined ? undefined : readTarget(dsn, getUrl());
    await recorded(async (inside, note) => {
      const before = await mirrors.find(project.id, inside);
      const target = said ?? before?.target;
      if (!target) throw new CodedError('INPUT_INVALID', [requests.field('dsn', invalid.required)]);
      await mirrors.set(inside, { projectId: project.id, target, enabled: enabled ?? before?.enabled ?? true });
      const after = await mirrors.find(project.id, inside);
      const change = { before: tellable(before), after: tellable(after) };
      if (before) note(tellableProject(project), { action: 'mirror.update', ...change });
      else note(tellableProject(project), { action: 'mirror.create', details: { leads: shownDsn(target) } });
    });
    live.publish({ type: 'settings' });
    mirrors.wake();
    return answer(project.id);
  });

  implement(api, contract.deleteMirror, async ({ caller: { project }, recorded }) => {
    await recorded(async (inside, note) => {
      const before = await mirrors.find(project.id, inside);
      if (!before) throw new CodedError('NOT_FOUND', [things.mirror(project.slug)]);
      await mirrors.remove(inside, project.id);
      note(tellableProject(project), { details: { leads: tellable(before).leads } });
    });
    live.publish({ type: 'settings' });
    mirrors.wake();
  });

  implement(api, contract.testMirror, async ({ caller: { project } }) => {
    const mirror = await mirrors.find(project.id);
    if (!mirror) throw new CodedError('NOT_FOUND', [things.mirror(project.slug)]);
    if (!mirror.target) throw new CodedError('INPUT_INVALID', [texts.otherKey]);
    return mirrors.test(mirror.target, project.slug);
  });
}

const leadsTo = (target: Target | undefined): string => (target ? shownDsn(target) : '');

const tellable = (mirror: Mirror | undefined) => ({ leads: leadsTo(mirror?.target), enabled: mirror?.enabled });
