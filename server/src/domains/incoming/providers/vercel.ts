/** What Vercel sends: https://vercel.com/docs/webhooks/webhooks-api */
import { deployNames, incoming as texts } from '../../../base/texts/incoming.ts';
import type { Reading, Told } from '../types.ts';
import type { RequestHeaders } from '../verify.ts';
import { type Json, linkOf, messageOf, nameOf, objectOf, shaOf, shortText, textOf } from './fields.ts';

const told = new Set(['deployment.succeeded', 'deployment.promoted']);

export function readVercel(_headers: RequestHeaders, body: Json, now: number): Reading {
  const event = shortText(body['type']).slice(0, 100);
  const named = { event, delivery: shortText(body['id']).slice(0, 200) };
  if (!told.has(event)) return { ...named, ignored: event === '' ? texts.noEvent : texts.event(event) };
  return { ...named, ...readDeployment(objectOf(body['payload']), event, timeIn(body['createdAt']) ?? now) };
}

const timeIn = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 && value < 8.64e15 ? Math.round(value) : null;

/** From what the deployment was built, wherever its commits lie. */
function sourceOf(meta: Json) {
  const of = (...names: readonly string[]) => nameOf(names.map((name) => meta[name]).find((one) => textOf(one) !== ''));
  const joined = (owner: string, name: string): string => (owner && name ? `${owner}/${name}` : '');
  const hosts = ['github', 'gitlab', 'bitbucket', 'git'];
  const ofCommit = (field: string): string => of(...hosts.map((host) => `${host}Commit${field}`));
  return {
    repository: (
      joined(of('githubCommitOrg', 'githubOrg'), of('githubCommitRepo', 'githubRepo')) ||
      of('gitlabProjectPath') ||
      joined(of('bitbucketRepoOwner'), of('bitbucketRepoSlug', 'bitbucketRepoName'))
    ).slice(0, 200),
    commit: shaOf(ofCommit('Sha')),
    ref: ofCommit('Ref'),
    message: messageOf(hosts.map((host) => meta[`${host}CommitMessage`]).find((one) => textOf(one) !== '')),
    author: ofCommit('AuthorName') || of('githubCommitAuthorLogin'),
  };
}

function readDeployment(payload: Json, event: string, at: number): Told {
  const deployment = objectOf(payload['deployment']);
  const { repository, commit, ref, message, author } = sourceOf(objectOf(deployment['meta']));
  const name = nameOf(deployment['name']) || nameOf(objectOf(payload['project'])['name']);
  const names = [name, repository, nameOf(objectOf(payload['project'])['id'])].filter((one) => one !== '');
  const host = shortText(deployment['url']);
  return {
    happening: {
      names,
      repository: repository || name,
      commit,
      tag: '',
      ref,
      commits: commit
        ? [
            {
              id: commit,
              repository: repository || name,
              message,
              authorName: author,
              authorEmail: '',
              committedAt: at,
              files: [],
            },
          ]
        : [],
      deploy: {
        environment: shortText(payload['target']) || (event === 'deployment.promoted' ? 'production' : 'preview'),
        name: deployNames.vercel(shortText(deployment['id']).slice(0, 50)),
        url: host && linkOf(`https://${host.replace(/^https?:\/\//i, '')}`),
        startedAt: null,
        finishedAt: at,
      },
    },
  };
}
