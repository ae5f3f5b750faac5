/** What GitLab sends: https://docs.gitlab.com/user/project/integrations/webhook_events/ */
import { deployNames, incoming as texts } from '../../../base/texts/incoming.ts';
import type { Reading, Told } from '../types.ts';
import { headerOf, type RequestHeaders } from '../verify.ts';
import { commitsOf, type Json, linkOf, nameOf, objectOf, refOf, shaOf, shortText, textOf, timeOf } from './fields.ts';

const readers: Readonly<Record<string, (body: Json, now: number) => Told>> = {
  push: readPush,
  tag_push: readPush,
  release: readRelease,
  deployment: readDeployment,
};

export function readGitlab(headers: RequestHeaders, body: Json, now: number): Reading {
  const event = shortText(body['object_kind']).slice(0, 100);
  const read = Object.hasOwn(readers, event) ? readers[event] : undefined;
  const told = read?.(body, now) ?? { ignored: event === '' ? texts.noEvent : texts.event(event) };
  // The key stays the same when GitLab tries again; older ones send the id of the event alone.
  const delivery = headerOf(headers, 'idempotency-key') || headerOf(headers, 'x-gitlab-event-uuid');
  return { event, delivery: delivery.slice(0, 200), ...told };
}

const repositoryOf = (body: Json): string => nameOf(objectOf(body['project'])['path_with_namespace']);

function readPush(body: Json, now: number): Told {
  const ref = shortText(body['ref']);
  const { branch, tag } = refOf(ref);
  const main = shortText(objectOf(body['project'])['default_branch']);
  const commit = shaOf(body['checkout_sha']);
  if (commit === '' && shaOf(body['after']) === '') return { ignored: texts.deleted(ref) };
  if (tag === '' && branch !== main) return { ignored: texts.branch(branch || ref, main) };
  const repository = repositoryOf(body);
  const commits = commitsOf(body['commits'], repository, now);
  return {
    happening: {
      names: [repository],
      repository,
      commit: commit || shaOf(body['after']),
      tag,
      ref: tag || branch,
      commits,
    },
  };
}

function readRelease(body: Json, now: number): Told {
  const action = shortText(body['action']);
  if (action !== 'create') return { ignored: texts.action(action) };
  const repository = repositoryOf(body);
  const tag = shortText(body['tag']);
  const commits = commitsOf([body['commit']], repository, now);
  return {
    happening: {
      names: [repository],
      repository,
      commit: commits[0]?.id ?? '',
      tag,
      ref: tag,
      commits,
      release: {
        url: linkOf(body['url']),
        releasedAt: timeOf(body['released_at']) ?? timeOf(body['created_at']) ?? now,
      },
    },
  };
}

function readDeployment(body: Json, now: number): Told {
  const status = shortText(body['status']);
  if (status !== 'success') return { ignored: texts.status(status) };
  const repository = repositoryOf(body);
  // Only the address of the commit has all of its SHA.
  const inUrl = /\/commit\/([0-9a-f]{40,64})$/i.exec(shortText(body['commit_url']))?.[1];
  return {
    happening: {
      names: [repository],
      repository,
      commit: shaOf(body['sha']) || shaOf(inUrl),
      tag: '',
      ref: shortText(body['ref']),
      commits: [],
      deploy: {
        environment: shortText(body['environment']) || 'production',
        name: deployNames.gitlab(textOf(body['deployment_id']).slice(0, 40)),
        url: linkOf(body['environment_external_url']) || linkOf(body['deployable_url']),
        startedAt: null,
        finishedAt: timeOf(body['status_changed_at']) ?? now,
      },
    },
  };
}
