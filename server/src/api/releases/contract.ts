/** Releases, their commits and deploys, as sentry-cli, the bundler plugins and the console use them. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { orgIssueParams } from '../issues/contract.ts';
import { CommitRepository } from '../repositories/contract.ts';
import { HealthData, ReleaseHealth } from '../sessions/contract.ts';
import {
  CountInterval,
  dateTime,
  orgParams,
  pageQuery,
  projectParams,
  rangeQuery,
  repeatable,
  scopeQuery,
  webAddressOrNone,
} from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

/** Clients that only make releases read what they made. */
const readers = ['project:read', 'project:releases', 'org:read'] as const;

const projectName = z.string().trim().min(1).max(200);
/** RFC 3339 with any number of digits after the second, or seconds since the epoch. */
const timeInput = z
  .union([z.string().max(64), z.number()])
  .nullish()
  .describe('RFC 3339; UTC without a time zone.');

export const Author = z
  .object({ name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: 'CommitAuthor' });

export const Commit = z
  .object({
    id: z.string().describe('ID of the commit in its repository.'),
    message: z.string(),
    dateCreated: dateTime(),
    author: Author.nullable(),
    repository: CommitRepository,
    url: z.string().nullable().describe('Page of the commit, if the repository is known.'),
    pullRequest: z.null(),
  })
  .meta({ id: 'Commit' });

export const ReleaseCommit = Commit.extend({
  fileCount: z.int(),
  files: z.array(z.object({ path: z.string(), type: z.string().describe('A added, M modified, D deleted.') })),
}).meta({ id: 'ReleaseCommit' });

export const Deploy = z
  .object({
    id: z.string(),
    environment: z.string(),
    name: z.string().nullable(),
    url: z.string().nullable(),
    dateStarted: dateTime().nullable(),
    dateFinished: dateTime(),
  })
  .meta({ id: 'Deploy' });

const ReleaseProject = z
  .object({
    id: z.int(),
    slug: z.string(),
    name: z.string(),
    platform: z.string().nullable(),
    newGroups: z.int(),
    firstSeen: dateTime().nullable(),
    lastSeen: dateTime().nullable(),
    healthData: HealthData.optional().describe('Set if health is requested.'),
  })
  .meta({ id: 'ReleaseProject' });

const releaseFields = {
  id: z.int(),
  version: z.string(),
  shortVersion: z.string(),
  status: z.enum(['open', 'archived']),
  ref: z.string().nullable(),
  url: z.string().nullable(),
  dateCreated: dateTime(),
  dateStarted: dateTime().nullable(),
  dateReleased: dateTime().nullable(),
  firstEvent: dateTime('In the selected projects and environments.').nullable(),
  lastEvent: dateTime().nullable(),
  eventCount: z.int().describe('Errors of the selected projects and environments.'),
  estimated: CountInterval,
  newGroups: z.int().describe('Issues first seen in this release.'),
  commitCount: z.int(),
  lastCommit: Commit.nullable(),
  authors: z.array(Author).describe('Authors of the commits, busiest first, at most ten.'),
  deployCount: z.int(),
  lastDeploy: Deploy.nullable(),
  artifactCount: z.int().describe('Uploaded bundles of this release.'),
  projects: z.array(ReleaseProject),
  environments: z.array(z.string()).describe('Environments of its events, latest first, at most twenty.'),
  data: z.record(z.string(), z.unknown()),
  health: ReleaseHealth.optional().describe('If requested: in the selected projects and environments.'),
};

const healthQuery = {
  health: z.string().max(5).optional().describe('1 adds release health.'),
  summaryStatsPeriod: rangeQuery.statsPeriod.describe(
    'Range of release health; default: the range of the request, else 14d.',
  ),
};

export const Release = z.object(releaseFields).meta({ id: 'Release' });

const Neighbour = z
  .object({
    version: z.string(),
    shortVersion: z.string(),
    dateCreated: dateTime(),
    dateReleased: dateTime().nullable(),
    newGroups: z.int(),
    eventCount: z.int(),
    commitCount: z.int(),
  })
  .meta({ id: 'ReleaseNeighbour' });

export const ReleaseDetail = z
  .object({
    ...releaseFields,
    previous: Neighbour.nullable().describe(
      'In the same package: by version, or by date if either is not a semantic version.',
    ),
    next: Neighbour.nullable(),
    refs: z
      .array(z.object({ repository: z.string(), commit: z.string(), previousCommit: z.string().nullable() }))
      .describe('Head of each repository.'),
  })
  .meta({ id: 'ReleaseDetail' });

const listQuery = z.object({
  query: z.string().max(200).optional().describe('Part of the version, in any case.'),
  status: z.enum(['', 'open', 'archived']).optional().describe('Default: open releases; empty: all.'),
  sort: z.enum(['date', 'new']).default('date').describe('Order: date of the release, or issues first seen in it.'),
  ...scopeQuery,
  ...rangeQuery,
  ...healthQuery,
  per_page: z.coerce.number().int().min(1).max(100).optional().describe('Same as limit.'),
  ...pageQuery,
});

/** `releases=19500, environments=3`: how often names found no room since yesterday. */
export const leftOutHeader = 'x-culprit-left-out';

const listRoute = {
  method: 'GET',
  tag: 'Releases',
  access: readers,
  description:
    'With a range: releases created or with events in it. Cursor pagination in the Link header. If events had more names than a project can list, X-Culprit-Left-Out counts omissions since yesterday: `releases=19500, environments=3`.',
  query: listQuery,
  response: z.array(Release),
} as const;

export const listReleases = endpoint({
  ...listRoute,
  url: '/organizations/:org/releases/',
  id: 'listReleases',
  summary: 'List releases of an organisation',
  params: orgParams,
});

export const listProjectReleases = endpoint({
  ...listRoute,
  url: '/projects/:org/:project/releases/',
  id: 'listProjectReleases',
  summary: 'List releases of a project',
  params: projectParams,
});

const PatchedFile = z.object({ path: z.string().min(1).max(4096), type: z.string().max(20).default('M') });

const text = (most: number) => z.string().max(most).nullish();

const CommitRequest = z
  .object({
    id: z.string().trim().min(1, invalid.empty).max(64),
    repository: text(200),
    message: text(1024 * 1024),
    author_name: text(1_000),
    author_email: text(1_000),
    timestamp: timeInput,
    patch_set: z.array(PatchedFile).max(100_000).nullish(),
  })
  .meta({ id: 'CommitRequest' });

const RefRequest = z
  .object({
    repository: z.string().trim().min(1, invalid.empty).max(200),
    commit: z.string().trim().min(1, invalid.empty).max(64),
    previousCommit: text(64),
  })
  .meta({ id: 'RefRequest' });

const writable = {
  ref: text(250),
  url: webAddressOrNone.nullish(),
  dateStarted: timeInput,
  dateReleased: timeInput,
  status: z.string().max(20).nullish().describe('open or archived.'),
  commits: z
    .array(CommitRequest)
    .max(20_000)
    .nullish()
    .describe('All commits of the release, newest first; replaces earlier ones.'),
  refs: z.array(RefRequest).max(100).nullish(),
  headCommits: z
    .array(z.object({ repository: z.string().max(200), currentId: z.string().max(64), previousId: text(64) }))
    .max(100)
    .nullish()
    .describe('Older name of refs.'),
};

const releaseBodyLimit = 20 * 1024 * 1024;

export const createRelease = endpoint({
  method: 'POST',
  url: '/organizations/:org/releases/',
  id: 'createRelease',
  tag: 'Releases',
  summary: 'Create a release or confirm that it exists',
  description: 'Updates an existing release and adds its projects. Returns 201 or 208.',
  access: 'project:releases',
  bodyLimit: releaseBodyLimit,
  params: orgParams,
  body: z
    .object({ version: z.string().max(1_000), projects: z.array(projectName).max(1_000).nullish(), ...writable })
    .meta({ id: 'ReleaseRequest' }),
  status: 201,
  response: Release,
});

export const createProjectRelease = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/releases/',
  id: 'createProjectRelease',
  tag: 'Releases',
  summary: 'Create a release of a project or confirm that it exists',
  access: 'project:releases',
  bodyLimit: releaseBodyLimit,
  params: projectParams,
  body: z.object({ version: z.string().max(1_000), ...writable }).meta({ id: 'ProjectReleaseRequest' }),
  status: 201,
  response: Release,
});

const version = z.string().max(1_000).describe('The release, percent-encoded if necessary.');
const releaseParams = orgParams.extend({ version });
const projectReleaseParams = projectParams.extend({ version });

const detailQuery = z.object({ ...scopeQuery, ...healthQuery });

const getRoute = {
  method: 'GET',
  tag: 'Releases',
  summary: 'Get a release with its neighbours',
  access: readers,
  response: ReleaseDetail,
} as const;
export const getRelease = endpoint({
  ...getRoute,
  url: '/organizations/:org/releases/:version/',
  id: 'getRelease',
  params: releaseParams,
  query: detailQuery,
});
export const getProjectRelease = endpoint({
  ...getRoute,
  url: '/projects/:org/:project/releases/:version/',
  id: 'getProjectRelease',
  params: projectReleaseParams,
  query: z.object({ environment: scopeQuery.environment, ...healthQuery }),
});

const putRoute = {
  method: 'PUT',
  tag: 'Releases',
  summary: 'Update a release: finalize it, set its commits, archive it',
  access: 'project:releases',
  bodyLimit: releaseBodyLimit,
  body: z.object({ projects: z.array(projectName).max(1_000).nullish(), ...writable }).meta({ id: 'ReleaseUpdate' }),
  response: Release,
} as const;
export const updateRelease = endpoint({
  ...putRoute,
  url: '/organizations/:org/releases/:version/',
  id: 'updateRelease',
  params: releaseParams,
});
export const updateProjectRelease = endpoint({
  ...putRoute,
  url: '/projects/:org/:project/releases/:version/',
  id: 'updateProjectRelease',
  params: projectReleaseParams,
});

const deleteRoute = {
  method: 'DELETE',
  tag: 'Releases',
  summary: 'Delete a release with its commits and deploys',
  description: 'Events and issues keep the version, and a later event creates the release again. Bundles stay.',
  access: 'project:releases',
  status: 204,
} as const;
export const deleteRelease = endpoint({
  ...deleteRoute,
  url: '/organizations/:org/releases/:version/',
  id: 'deleteRelease',
  params: releaseParams,
});
export const deleteProjectRelease = endpoint({
  ...deleteRoute,
  url: '/projects/:org/:project/releases/:version/',
  id: 'deleteProjectRelease',
  params: projectReleaseParams,
});

export const getPreviousWithCommits = endpoint({
  method: 'GET',
  url: '/organizations/:org/releases/:version/previous-with-commits/',
  id: 'getPreviousWithCommits',
  tag: 'Releases',
  summary: 'Get the last previous release with commits; {} if there is none',
  access: readers,
  params: releaseParams,
  response: z.union([Release, z.strictObject({})]),
});

const commitsRoute = {
  method: 'GET',
  tag: 'Releases',
  summary: 'List commits of a release, newest first',
  description: 'Each with at most 50 files.',
  access: readers,
  query: z.object({ per_page: z.coerce.number().int().min(1).max(100).optional(), ...pageQuery }),
  response: z.array(ReleaseCommit),
} as const;
export const listReleaseCommits = endpoint({
  ...commitsRoute,
  url: '/organizations/:org/releases/:version/commits/',
  id: 'listReleaseCommits',
  params: releaseParams,
});
export const listProjectReleaseCommits = endpoint({
  ...commitsRoute,
  url: '/projects/:org/:project/releases/:version/commits/',
  id: 'listProjectReleaseCommits',
  params: projectReleaseParams,
});

export const listCommitFiles = endpoint({
  method: 'GET',
  url: '/organizations/:org/releases/:version/commitfiles/',
  id: 'listCommitFiles',
  tag: 'Releases',
  summary: 'List files that the commits of a release change',
  description: 'Commits newest first, each with at most 500 files. Pages are of commits.',
  access: readers,
  params: releaseParams,
  query: z.object(pageQuery),
  response: z.array(
    z
      .object({
        id: z.string().describe('Of the commit, and the path.'),
        filename: z.string(),
        type: z.string().describe('A added, M modified, D deleted.'),
        commitMessage: z.string(),
        author: Author.nullable(),
        dateCreated: dateTime(),
        repository: z.string(),
      })
      .meta({ id: 'CommitFile' }),
  ),
});

export const listRepositoryCommits = endpoint({
  method: 'GET',
  url: '/organizations/:org/repos/:id/commits/',
  id: 'listRepositoryCommits',
  tag: 'Repositories',
  summary: 'List commits of a repository that releases name, newest first',
  description: 'Each with at most 50 files. For who sees all projects.',
  access: readers,
  params: orgParams.extend({ id: z.string().max(20) }),
  query: z.object(pageQuery),
  response: z.array(ReleaseCommit),
});

export const listDeploys = endpoint({
  method: 'GET',
  url: '/organizations/:org/releases/:version/deploys/',
  id: 'listDeploys',
  tag: 'Releases',
  summary: 'List deploys of a release, newest first',
  access: readers,
  params: releaseParams,
  query: z.object(pageQuery),
  response: z.array(Deploy),
});

export const createDeploy = endpoint({
  method: 'POST',
  url: '/organizations/:org/releases/:version/deploys/',
  id: 'createDeploy',
  tag: 'Releases',
  summary: 'Record a deploy of a release',
  access: 'project:releases',
  params: releaseParams,
  body: z
    .object({
      environment: z.string().trim().min(1, invalid.empty).max(64),
      name: text(64),
      url: webAddressOrNone.nullish(),
      dateStarted: timeInput,
      dateFinished: timeInput,
    })
    .meta({ id: 'DeployRequest' }),
  status: 201,
  response: Deploy,
});

const ReleaseRef = z.object({ version: z.string(), shortVersion: z.string() });

const SuspectCommit = Commit.extend({
  release: z.string().describe('First release that contains it.'),
  file: z.string().describe('File of the frame in the commit.'),
  frame: z.object({ filename: z.string(), function: z.string().nullable(), lineNo: z.int().nullable() }),
  reason: z.string().describe('Reason of the suspicion, as text.'),
  certainty: z
    .enum(['mapped', 'suffix', 'name'])
    .describe('How the file matched: by code mapping, end of the path, or unique name.'),
}).meta({ id: 'SuspectCommit' });

const SuspectCommits = z
  .object({
    commits: z.array(SuspectCommit).describe('Newest first, at most five.'),
    release: ReleaseRef.nullable().describe('Release in which the issue was first seen.'),
    since: ReleaseRef.nullable().describe('The previous release, whose commits do not count.'),
    problem: z
      .object({
        code: z.enum(['no_release', 'no_frame', 'no_commits', 'no_files', 'no_match']),
        detail: z.string().describe('Why there is none, and what to do.'),
      })
      .nullable(),
  })
  .meta({ id: 'SuspectCommits' });

export const listSuspectCommits = endpoint({
  method: 'GET',
  url: '/organizations/:org/issues/:issue/suspect-commits/',
  id: 'listSuspectCommits',
  tag: 'Releases',
  summary: "List suspect commits: those in the issue's first release that changed the failing file",
  access: 'event:read',
  params: orgIssueParams,
  response: SuspectCommits,
});

export const listCommitters = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/events/:event/committers/',
  id: 'listCommitters',
  tag: 'Releases',
  summary: "List suspect commits of an event's issue by author, in Sentry's shape",
  access: 'event:read',
  params: projectParams.extend({ event: z.string().max(64) }),
  response: z.object({ committers: z.array(z.object({ author: Author, commits: z.array(Commit) })) }),
});

export const listMonitors = endpoint({
  method: 'GET',
  url: '/organizations/:org/monitors/',
  id: 'listMonitors',
  tag: 'Releases',
  summary: 'List cron monitors: always empty; Health lists check-ins',
  access: 'project:read',
  params: orgParams,
  query: z.object({ project: repeatable('IDs or slugs.'), ...pageQuery }),
  response: z.array(z.record(z.string(), z.unknown())),
});
