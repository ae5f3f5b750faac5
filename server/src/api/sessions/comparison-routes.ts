/** Two releases side by side. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { crashFree, shareOf } from '../../domains/sessions/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import * as releases from '../../domains/releases/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import { requests } from '../../base/texts/requests.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { findRelease } from '../shared/release-place.ts';
import { categoryOf, shortIdOf, permalinkOf, statusShown, substatusShown } from '../issues/shapes.ts';
import { iso } from '../shared/read.ts';

type Answer = z.output<typeof contract.compareReleases.response>;

export function releaseComparisonRoutes(api: Api): void {
  const { state, events, getUrl } = api.deps;

  implement(api, contract.compareReleases, async ({ caller: { membership }, query }) => {
    const chosen = await chooseProjects(state, membership, query.project);
    const projects = new Map(chosen.map((project) => [project.id, project]));
    const scope = { projectIds: [...projects.keys()], environments: query.environment };
    const find = (version: string): Promise<releases.ReleaseRow> => findRelease(state)({ membership }, version);
    const pair = [await find(query.from), await find(query.to)] as const;
    if (pair[0].id === pair[1].id) throw new CodedError('INPUT_INVALID', [requests.sameRelease]);
    const facts = await releases.factsOf({ state, events }, pair, scope);
    const sideOf = (release: releases.ReleaseRow) => ({
      release,
      firstSeen: facts.get(release.id)?.firstSeen ?? null,
      lastSeen: facts.get(release.id)?.lastSeen ?? null,
    });
    const sides = { from: sideOf(pair[0]), to: sideOf(pair[1]) };
    const found = await releases.compareTwo({ state, events }, { ...sides, ...scope, nowMs: Date.now() });
    const listed = (changes: releases.Comparison['new']) => toChanges(changes, projects, getUrl());
    return {
      from: toSide(sides.from, found.from),
      to: toSide(sides.to, found.to),
      basis: found.basis,
      new: listed(found.new),
      gone: listed(found.gone),
      worse: listed(found.worse),
      better: listed(found.better),
      partial: found.partial,
    };
  });
}

const toMs = (us: number | undefined): number | null => (us === undefined ? null : us / 1000);

function toSide(
  { release, firstSeen, lastSeen }: releases.ComparedSide,
  numbers: releases.Comparison['from'],
): Answer['from'] {
  const { sessions, users, events, requests } = numbers;
  return {
    version: release.version,
    shortVersion: releases.shortVersion(release.version),
    dateCreated: iso(release.createdAt),
    firstEvent: firstSeen === null ? null : iso(firstSeen),
    lastEvent: lastSeen === null ? null : iso(lastSeen),
    numbers: {
      sessions,
      users,
      crashFreeSessions: crashFree(sessions) ?? null,
      crashFreeUsers: crashFree(users) ?? null,
      events,
      estimated: numbers.estimate ?? null,
      errorsPerSession: shareOf(events, sessions.total) ?? null,
      requests,
      errorsPerRequest: shareOf(events, requests) ?? null,
      failureRate: shareOf(numbers.failed, requests) ?? null,
      p50Ms: toMs(numbers.p50Us),
      p95Ms: toMs(numbers.p95Us),
      vitals: numbers.vitals.map(({ vital, p75, count }) => ({ vital, p75, count })),
    },
  };
}

function toChanges(
  { total, issues }: releases.Comparison['new'],
  projects: ReadonlyMap<number, Project>,
  baseUrl: string,
): Answer['new'] {
  return {
    total,
    issues: issues.flatMap(({ issue, before, after, estimates, factor }) => {
      const project = projects.get(issue.projectId);
      if (!project) return [];
      return [
        {
          issue: {
            id: String(issue.id),
            shortId: shortIdOf(issue, project),
            title: issue.title,
            culprit: issue.culprit,
            permalink: permalinkOf(issue, { project, baseUrl }),
            level: issue.level,
            status: statusShown(issue.status),
            substatus: substatusShown(issue),
            type: categoryOf(issue) === 'performance' ? 'transaction' : issue.type,
            issueCategory: categoryOf(issue),
            metadata: { ...issue.metadata },
            project: {
              id: String(project.id),
              slug: project.slug,
              name: project.name,
              platform: project.platform || null,
            },
          },
          before,
          after,
          estimated: { before: estimates.before ?? null, after: estimates.after ?? null },
          factor: factor ?? null,
        },
      ];
    }),
  };
}
