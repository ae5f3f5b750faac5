/** What GitHub sends: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
import { deployNames, incoming as texts } from '../../../base/texts/incoming.ts';
import type { Reading, Told } from '../types.ts';
import { headerOf, type RequestHeaders } from '../verify.ts';
import { commitsOf, type Json, linkOf, nameOf, objectOf, refOf, shaOf, shortText, textOf, timeOf } from './fields.ts';

const readers: Readonly<Record<string, (body: Json, now: number) => Told>> = {
  ping: () => ({ ignored: texts.ping }),
  push: readPush,
  release: readRelease,
  deployment_status: readDeployment,
};

export function readGithub(headers: RequestHeaders, body: Json, now: number): Reading {
  const event = headerOf(headers, 'x-github-event').slice(0, 100);
  const read = Object.hasOwn(readers, event) ? readers[event] : undefined;
  const told = read?.(body, now) ?? { ignored: event === '' ? texts.noEvent : texts.event(event) };
  return { event, delivery: headerOf(headers, 'x-github-delivery').slice(0, 200), ...told };
}

const repositoryOf = (body: Json): string => nameOf(objectOf(body['repository'])['full_name']);

function readPush(body: Json, now: number): Told {
  const ref = shortText(body['ref']);
  const { branch, tag } = refOf(ref);
  const main = shortText(objectOf(body['repository'])['default_branch']);
  if (body['deleted'] === true) return { ignored: texts.deleted(ref) };
  if (tag === '' && branch !== main) return { ignored: texts.branch(branch || ref, main) };
  const repository = repositoryOf(body);
  // `after` of an annotated tag is the tag itself; the head is the commit.
  const commit = shaOf(objectOf(body['head_commit'])['id']) || shaOf(body['after']);
  const commits = commitsOf(tag === '' ? body['commits'] : [body['head_commit']], repository, now);
  return { happening: { names: [repository], repository, commit, tag, ref: tag || branch, commits } };
}

function readRelease(body: Json, now: number): Told {
  const release = objectOf(body['release']);
  const action = shortText(body['action']);
  // `published` comes once for each release; the others tell of the same one again.
  if (action !== 'published') return { ignored: texts.action(action) };
  if (release['draft'] === true) return { ignored: texts.draft };
  const repository = repositoryOf(body);
  const tag = shortText(release['tag_name']);
  return {
    happening: {
      names: [repository],
      repository,
      // A branch, mostly: what was tagged is known from the push of the tag.
      commit: shaOf(release['target_commitish']),
      tag,
      ref: tag,
      commits: [],
      release: { url: linkOf(release['html_url']), releasedAt: timeOf(release['published_at']) ?? now },
    },
  };
}

function readDeployment(body: Json, now: number): Told {
  const status = objectOf(body['deployment_status']);
  const deployment = objectOf(body['deployment']);
  const state = shortText(status['state']);
  if (state !== 'success') return { ignored: texts.status(state) };
  const repository = repositoryOf(body);
  return {
    happening: {
      names: [repository],
      repository,
      commit: shaOf(deployment['sha']),
      tag: '',
      ref: shortText(deployment['ref']),
      commits: [],
      deploy: {
        environment: shortText(status['environment']) || shortText(deployment['environment']) || 'production',
        name: deployNames.github(textOf(deployment['id']).slice(0, 40)),
        url: linkOf(status['environment_url']) || linkOf(status['target_url']),
        startedAt: timeOf(deployment['created_at']),
        finishedAt: timeOf(status['created_at']) ?? now,
      },
    },
  };
}
