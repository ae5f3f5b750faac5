/** What Netlify sends: https://docs.netlify.com/deploy/deploy-notifications/ */
import { deployNames, incoming as texts } from '../../../base/texts/incoming.ts';
import type { Reading, Told } from '../types.ts';
import { headerOf, type RequestHeaders } from '../verify.ts';
import { type Json, linkOf, messageOf, nameOf, shaOf, shortText, textOf, timeOf } from './fields.ts';

export function readNetlify(headers: RequestHeaders, body: Json, now: number): Reading {
  const event = headerOf(headers, 'x-netlify-event').slice(0, 100) || 'deploy';
  // Netlify numbers no deliveries: a deploy and its last change are one.
  const parts = [event, textOf(body['id']), textOf(body['published_at']) || textOf(body['updated_at'])];
  return { event, delivery: parts.join(' ').slice(0, 200), ...readDeploy(body, now) };
}

function readDeploy(body: Json, now: number): Told {
  const state = shortText(body['state']);
  if (state !== 'ready') return { ignored: texts.status(state) };
  const site = nameOf(body['name']);
  const commitUrl = shortText(body['commit_url']);
  const path = URL.canParse(commitUrl) ? new URL(commitUrl).pathname : '';
  // `/acme/shop/commit/…`, with `/-/` before it on GitLab
  const repository = /^\/(.+?)\/(?:-\/)?commits?\/[0-9a-f]+$/i.exec(path)?.[1]?.slice(0, 200) ?? '';
  const commit = shaOf(body['commit_ref']);
  const at = timeOf(body['published_at']) ?? timeOf(body['updated_at']) ?? now;
  return {
    happening: {
      names: [site, repository, nameOf(body['site_id'])].filter((one) => one !== ''),
      repository: repository || site,
      commit,
      tag: '',
      ref: shortText(body['branch']),
      commits: commit
        ? [
            {
              id: commit,
              repository: repository || site,
              message: messageOf(body['title']),
              authorName: shortText(body['committer']),
              authorEmail: '',
              committedAt: timeOf(body['created_at']) ?? at,
              files: [],
            },
          ]
        : [],
      deploy: {
        environment: shortText(body['context']) || 'production',
        name: deployNames.netlify(textOf(body['id']).slice(0, 40)),
        url: linkOf(body['deploy_ssl_url']) || linkOf(body['ssl_url']) || linkOf(body['url']),
        startedAt: timeOf(body['created_at']),
        finishedAt: at,
      },
    },
  };
}
