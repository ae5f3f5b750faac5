/** Releases, commits and suspects as Sentry's API gives them. */
import type { z } from 'zod';
import type { ReleaseHealth } from '../../domains/sessions/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import {
  type CommitRow,
  type CommitWithFiles,
  type DeployRow,
  type Overflow,
  type ReleaseFacts,
  type ReleaseRow,
  type SuspectFrame,
  type Suspects,
  shortVersion,
} from '../../domains/releases/index.ts';
import type { TimeRange } from '../../base/time-range.ts';
import { commitLink } from '../../domains/repositories/index.ts';
import { suspects as texts } from '../../base/texts/issues.ts';
import type * as contract from './contract.ts';
import { webLink } from '../shared/web-address.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import { toProvider } from '../repositories/shapes.ts';
import { toHealthData, toReleaseHealth } from '../sessions/shapes.ts';

type ReleaseShape = z.output<typeof contract.Release>;
type CommitShape = z.output<typeof contract.Commit>;
type SuspectsShape = z.output<typeof contract.listSuspectCommits.response>;
type NeighbourShape = z.output<typeof contract.ReleaseDetail>['previous'];

const orNull = (text: string): string | null => (text === '' ? null : text);

export function toCommit(commit: CommitRow): CommitShape {
  const { repository } = commit;
  const named = commit.authorName !== '' || commit.authorEmail !== '';
  return {
    id: commit.sha,
    message: commit.message,
    dateCreated: iso(commit.committedAt),
    author: named ? { name: orNull(commit.authorName), email: orNull(commit.authorEmail) } : null,
    repository: {
      id: String(repository.id),
      name: repository.name,
      url: webLink(repository.url),
      provider: toProvider(repository.provider),
    },
    url: commitLink(repository, commit.sha) ?? null,
    pullRequest: null,
  };
}

export const toReleaseCommit = (commit: CommitWithFiles): z.output<typeof contract.ReleaseCommit> => ({
  ...toCommit(commit),
  fileCount: commit.fileCount,
  files: commit.files.map(({ path, type }) => ({ path, type })),
});

export const toDeploy = (deploy: DeployRow): z.output<typeof contract.Deploy> => ({
  id: String(deploy.id),
  environment: deploy.environment,
  name: orNull(deploy.name),
  url: webLink(deploy.url),
  dateStarted: isoOrNull(deploy.dateStarted),
  dateFinished: iso(deploy.dateFinished),
});

export interface ReleaseContext {
  readonly facts: ReleaseFacts;
  /** Of the organisation, by id. */
  readonly projects: ReadonlyMap<number, Project>;
  readonly artifacts: number;
  /** Where it was asked for. */
  readonly shown?: { readonly health: ReleaseHealth; readonly range: TimeRange } | undefined;
}

export function toRelease(release: ReleaseRow, { facts, projects, artifacts, shown }: ReleaseContext): ReleaseShape {
  return {
    id: release.id,
    version: release.version,
    shortVersion: shortVersion(release.version),
    status: release.status,
    ref: release.ref,
    url: webLink(release.url ?? ''),
    dateCreated: iso(release.createdAt),
    dateStarted: isoOrNull(release.dateStarted),
    dateReleased: isoOrNull(release.dateReleased),
    firstEvent: isoOrNull(facts.firstSeen),
    lastEvent: isoOrNull(facts.lastSeen),
    eventCount: facts.events,
    estimated: facts.estimate ?? null,
    newGroups: facts.newIssues,
    commitCount: facts.commits,
    lastCommit: facts.lastCommit ? toCommit(facts.lastCommit) : null,
    authors: facts.authors.map(({ name, email }) => ({ name: orNull(name), email: orNull(email) })),
    deployCount: facts.deploys,
    lastDeploy: facts.lastDeploy ? toDeploy(facts.lastDeploy) : null,
    artifactCount: artifacts,
    projects: facts.projects.flatMap(({ projectId, newIssues, firstSeen, lastSeen }) => {
      const project = projects.get(projectId);
      if (!project) return [];
      const { id, slug, name, platform } = project;
      return [
        {
          id,
          slug,
          name,
          platform: orNull(platform),
          newGroups: newIssues,
          firstSeen: isoOrNull(firstSeen),
          lastSeen: isoOrNull(lastSeen),
          ...(shown && { healthData: toHealthData(shown.health, projectId) }),
        },
      ];
    }),
    environments: [...facts.environments],
    data: {},
    ...(shown && { health: toReleaseHealth(shown.health, shown.range) }),
  };
}

/** Of all projects together. */
export function toLeftOut(overflows: readonly Overflow[]): string {
  const counts = [...Map.groupBy(overflows, ({ kind }) => kind)].map(
    ([kind, ofKind]) => `${kind}s=${ofKind.reduce((sum, { names }) => sum + names, 0)}`,
  );
  return counts.join(', ');
}

export const toNeighbour = (release: ReleaseRow, facts: ReleaseFacts): NonNullable<NeighbourShape> => ({
  version: release.version,
  shortVersion: shortVersion(release.version),
  dateCreated: iso(release.createdAt),
  dateReleased: isoOrNull(release.dateReleased),
  newGroups: facts.newIssues,
  eventCount: facts.events,
  commitCount: facts.commits,
});

export function toSuspects(found: Suspects, frame: SuspectFrame | undefined, version: string | null): SuspectsShape {
  const ref = (release: ReleaseRow | undefined) =>
    release ? { version: release.version, shortVersion: shortVersion(release.version) } : null;
  const filename = frame?.filename ?? frame?.absPath ?? '';
  return {
    commits: found.suspects.map(({ commit, file, how }) => ({
      ...toCommit(commit),
      release: found.release?.version ?? '',
      file,
      frame: { filename, function: frame?.function ?? null, lineNo: frame?.lineNo ?? null },
      reason: texts.inRelease(texts.reasons[how](file, filename), found.release?.version ?? '', found.since?.version),
      certainty: how,
    })),
    release: ref(found.release),
    since: ref(found.since),
    problem: found.problem ? { code: found.problem, detail: explain(found, filename, version) } : null,
  };
}

function explain({ problem, release }: Suspects, filename: string, version: string | null): string {
  const name = release?.version ?? '';
  switch (problem) {
    case 'no_release':
      return version === null ? texts.noRelease : texts.releaseDeleted(version);
    case 'no_frame':
      return texts.noFrame;
    case 'no_commits':
      return texts.noCommits(name);
    case 'no_files':
      return texts.noFiles(name);
    default:
      return texts.unchanged(name, filename);
  }
}
