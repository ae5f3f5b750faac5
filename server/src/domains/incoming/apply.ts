/** Makes releases, commits and deploys of what happened, for each mapping that is for it. */
import { CodedError } from '../../base/errors.ts';
import { incoming as texts } from '../../base/texts/incoming.ts';
import type { State } from '../../ports/state/state.ts';
import { listProjects, type Project } from '../projects/index.ts';
import {
  checkedVersion,
  createDeploy,
  findRelease,
  hasDeploy,
  headBefore,
  listCommits,
  type ReportedCommit,
  saveRelease,
  versionOfHead,
} from '../releases/index.ts';
import { commitsUpTo, keepCommits } from './commits.ts';
import type { IncomingWebhook } from './store.ts';
import type { Happening, IncomingMapping, IncomingResult } from './types.ts';
import { needsTag, versionOf } from './version.ts';

export interface Applied {
  readonly result: IncomingResult;
  /** In sentences. */
  readonly detail: string;
  /** Issues that commits have resolved. */
  readonly resolved: readonly { readonly id: number; readonly projectId: number }[];
}

interface Round {
  readonly state: State;
  readonly webhook: IncomingWebhook;
  readonly happening: Happening;
  readonly projects: readonly Project[];
  readonly now: number;
}

const isFor = (happening: Happening, { match }: IncomingMapping): boolean =>
  match === '*' || happening.names.some((name) => name.toLowerCase() === match.toLowerCase());

/** Throws `INPUT_INVALID` for a version that no release can have. `state` is of one transaction. */
export async function apply(
  state: State,
  webhook: IncomingWebhook,
  happening: Happening,
  now: number,
): Promise<Applied> {
  const ignored = (detail: string): Applied => ({ result: 'ignored', detail, resolved: [] });
  const [name] = happening.names;
  if (!name) return ignored(texts.noName);
  const mappings = webhook.mappings.filter((mapping) => isFor(happening, mapping));
  if (mappings.length === 0) return ignored(texts.noMapping(name));
  const { deploy, commits, repository } = happening;
  const wanted = mappings.filter(
    ({ environments }) => !deploy || environments.length === 0 || environments.includes(deploy.environment),
  );
  if (deploy && wanted.length === 0) return ignored(texts.environment(deploy.environment));
  if (commits.length > 0) await keepCommits(state, { webhookId: webhook.id, repository }, commits);
  const projects = await listProjects(state, webhook.organizationId);
  const round: Round = { state, webhook, happening, projects, now };
  const done: Applied[] = [];
  // One after the other: two mappings may be for one release.
  for (const mapping of wanted) done.push(await applyMapping(round, mapping));
  return {
    result: done.some(({ result }) => result === 'taken') ? 'taken' : 'ignored',
    detail: [...new Set(done.map(({ detail }) => detail))].join(' '),
    resolved: done.flatMap(({ resolved }) => resolved),
  };
}

async function applyMapping(round: Round, mapping: IncomingMapping): Promise<Applied> {
  const { state, webhook, happening, projects, now } = round;
  const { organizationId } = webhook;
  const { repository, commit, deploy, release: released, ref } = happening;
  const own = projects.filter(({ id }) => mapping.projectIds.includes(id));
  if (own.length === 0) return { result: 'ignored', detail: texts.noProjects, resolved: [] };
  const projectIds = own.map(({ id }) => id);
  const given = await versionFor(round, mapping, projectIds);
  if (given === undefined) return withoutVersion(happening, mapping);

  const version = checkedVersion(given);
  const known = await findRelease(state, organizationId, version);
  const before =
    repository === '' ? undefined : await headBefore(state, { organizationId, repository, projectIds, version });
  const commits = await commitsFor(round, known?.id, before);
  const hasHead = repository !== '' && commit !== '';
  const { release, created, resolved } = await saveRelease(
    state,
    { organizationId, version },
    {
      projectIds,
      ...(ref !== '' && !known?.ref && { ref: ref.slice(0, 250) }),
      ...(released && { dateReleased: released.releasedAt, ...(released.url !== '' && { url: released.url }) }),
      ...(commits && { commits }),
      ...(hasHead && { refs: [{ repository, commit, previousCommit: before === commit ? null : (before ?? null) }] }),
    },
    now,
  );
  const sentences = [
    texts.release(
      version,
      own.map(({ slug }) => slug),
      created,
    ),
    ...(commits ? [texts.commits(commits.length)] : []),
  ];
  if (deploy) {
    const isKnown = await hasDeploy(state, release.id, deploy);
    if (!isKnown) await createDeploy(state, release.id, toDeploy(deploy), now);
    sentences.push(isKnown ? texts.deployKnown(deploy.environment) : texts.deploy(deploy.environment));
  }
  return { result: 'taken', detail: sentences.join(' '), resolved };
}

/** What the rule says; for a deploy that names no tag, what was made of its commit. */
async function versionFor(
  { state, webhook: { organizationId }, happening: { repository, commit, tag, deploy } }: Round,
  { version: rule }: IncomingMapping,
  projectIds: readonly number[],
): Promise<string | undefined> {
  const version = versionOf(rule, { commit, tag });
  if (version !== undefined || !deploy || commit === '' || repository === '') return version;
  return versionOfHead(state, { organizationId, repository, projectIds, commit });
}

function withoutVersion({ commits, commit, deploy, tag }: Happening, { version: rule }: IncomingMapping): Applied {
  const resolved: Applied['resolved'] = [];
  const lacksTag = needsTag(rule) && tag === '';
  if (lacksTag && !deploy && commits.length > 0) {
    return { result: 'taken', detail: texts.kept(commits.length), resolved };
  }
  const detail = lacksTag || commit !== '' ? texts.noTag(rule) : texts.noCommit(rule);
  return { result: 'ignored', detail, resolved };
}

/** Undefined where the release keeps those that it has: whoever sent them may have known more. */
async function commitsFor(
  { state, webhook, happening: { repository, commit } }: Round,
  releaseId: number | undefined,
  before: string | undefined,
): Promise<readonly ReportedCommit[] | undefined> {
  if (commit === '' || repository === '' || before === commit) return undefined;
  if (releaseId !== undefined) {
    const page = { offset: 0, limit: 1, fileLimit: 0 };
    if ((await listCommits(state, releaseId, page)).length > 0) return undefined;
  }
  const commits = await commitsUpTo(state, { webhookId: webhook.id, repository }, commit, before);
  return commits.length > 0 ? commits : undefined;
}

type Deploy = NonNullable<Happening['deploy']>;

const toDeploy = ({ environment, name, url, startedAt, finishedAt }: Deploy) => {
  // An environment is what events carry, which has no more letters.
  if (environment.length > 64) throw new CodedError('INPUT_INVALID', [texts.longEnvironment(64)]);
  return { environment, name, url, dateStarted: startedAt, dateFinished: finishedAt };
};
