/** Requests as the providers' documents say that they are sent: bodies with the fields that are read, signed. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingProvider } from '../../domains/incoming/index.ts';

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

export const sha = (n: number): string => n.toString(16).padStart(40, 'a');

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signed(
  provider: IncomingProvider,
  secret: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): SignedRequest {
  const payload = JSON.stringify(body);
  const hmac = (algorithm: string) => createHmac(algorithm, secret).update(payload).digest('hex');
  const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({
    iss: 'netlify',
    sha256: createHash('sha256').update(payload).digest('hex'),
  })}`;
  const signatures: Readonly<Record<IncomingProvider, Record<string, string>>> = {
    github: { 'x-hub-signature-256': `sha256=${hmac('sha256')}` },
    gitlab: { 'x-gitlab-token': secret },
    vercel: { 'x-vercel-signature': hmac('sha1') },
    netlify: { 'x-webhook-signature': `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}` },
  };
  return { payload, headers: { 'content-type': 'application/json', ...signatures[provider], ...headers } };
}

const commit = (n: number, message = `Change ${n}`) => ({
  id: sha(n),
  message,
  timestamp: '2026-11-20T10:00:00+01:00',
  author: { name: 'Ada', email: 'ada@example.com' },
  added: [`src/new-${n}.ts`],
  modified: ['src/cart.ts'],
  removed: [],
});

const githubRepository = { full_name: 'acme/shop', default_branch: 'main' };

export const github = {
  push: (ns: readonly number[], ref = 'refs/heads/main', message?: string) => ({
    ref,
    before: sha(0),
    after: sha(ns.at(-1) ?? 0),
    deleted: false,
    repository: githubRepository,
    head_commit: commit(ns.at(-1) ?? 0, message),
    commits: ref.startsWith('refs/tags/') ? [] : ns.map((n) => commit(n, message)),
  }),
  release: (tag: string, action = 'published') => ({
    action,
    release: {
      tag_name: tag,
      target_commitish: 'main',
      draft: false,
      html_url: `https://github.example/acme/shop/releases/tag/${tag}`,
      published_at: '2026-11-21T08:00:00Z',
    },
    repository: githubRepository,
  }),
  deployment: (n: number, { state = 'success', environment = 'production', id = 7 } = {}) => ({
    deployment_status: {
      id: 1,
      state,
      environment,
      environment_url: 'https://shop.example.com',
      created_at: '2026-11-21T09:00:00Z',
    },
    deployment: { id, sha: sha(n), ref: 'main', environment, created_at: '2026-11-21T08:59:00Z' },
    repository: githubRepository,
  }),
};

const gitlabProject = { id: 5, path_with_namespace: 'acme/tools/shop', default_branch: 'main' };

export const gitlab = {
  push: (ns: readonly number[], ref = 'refs/heads/main') => ({
    object_kind: ref.startsWith('refs/tags/') ? 'tag_push' : 'push',
    ref,
    before: sha(0),
    after: sha(ns.at(-1) ?? 0),
    checkout_sha: sha(ns.at(-1) ?? 0),
    project: gitlabProject,
    commits: ns.map((n) => commit(n)),
  }),
  release: (n: number, tag: string) => ({
    object_kind: 'release',
    action: 'create',
    tag,
    url: `https://gitlab.example/acme/tools/shop/-/releases/${tag}`,
    created_at: '2026-11-21 08:00:00 UTC',
    released_at: '2026-11-21 08:00:00 UTC',
    project: gitlabProject,
    commit: commit(n),
  }),
  deployment: (n: number) => ({
    object_kind: 'deployment',
    status: 'success',
    status_changed_at: '2026-11-21 10:00:00 +0100',
    deployment_id: 15,
    environment: 'staging',
    environment_external_url: 'https://staging.example.com',
    project: gitlabProject,
    short_sha: sha(n).slice(0, 8),
    ref: 'main',
    commit_url: `https://gitlab.example/acme/tools/shop/-/commit/${sha(n)}`,
  }),
};

export const vercel = (n: number, type = 'deployment.succeeded', target: string | null = 'production') => ({
  id: `evt_${n}_${type}`,
  type,
  createdAt: Date.UTC(2026, 10, 21, 9),
  payload: {
    team: { id: 'team_1' },
    project: { id: 'prj_1' },
    target,
    links: { deployment: 'https://vercel.example/acme/shop/1' },
    deployment: {
      id: `dpl_${n}`,
      name: 'shop-web',
      url: `shop-web-${n}.vercel.example`,
      meta: {
        githubCommitSha: sha(n),
        githubCommitRef: 'main',
        githubCommitOrg: 'acme',
        githubCommitRepo: 'shop',
        githubCommitMessage: `Change ${n}`,
        githubCommitAuthorName: 'Ada',
      },
    },
  },
});

export const netlify = (n: number, { state = 'ready', context = 'production' } = {}) => ({
  id: `5ebc34bf4fea0b01f02efa${n}`,
  site_id: 'fa4dd95a-994e-4f89-8a7a-2d9e9fc36a32',
  state,
  name: 'shop-web',
  url: 'https://shop.example.com',
  ssl_url: 'https://shop.example.com',
  deploy_ssl_url: `https://${n}--shop-web.netlify.example`,
  created_at: '2026-11-21T09:00:00.346Z',
  updated_at: '2026-11-21T09:02:56.738Z',
  published_at: '2026-11-21T09:02:56.634Z',
  commit_ref: sha(n),
  commit_url: `https://github.example/acme/shop/commit/${sha(n)}`,
  branch: 'main',
  title: `Change ${n}`,
  context,
});
