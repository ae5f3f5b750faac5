/** Incoming webhooks over HTTP, on both databases. The senders are the test's; they send what the documents say. */
import { createHmac } from 'node:crypto';
import fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { CodedError } from '../../base/errors.ts';
import { createLive } from '../../base/live.ts';
import { textBox } from '../../base/secrets/index.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import {
  createIncoming,
  findIncoming,
  type IncomingMapping,
  type IncomingProvider,
  listIncomingDeliveries,
  rotateIncomingSecret,
} from '../../domains/incoming/index.ts';
import { findRelease, headsOf, listCommits, listDeploys } from '../../domains/releases/index.ts';
import { openOwnVisitors, type OpenVisitors } from '../../ingest/index.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import type { State } from '../../ports/state/state.ts';
import { registerIncoming } from './register.ts';
import { github, gitlab, netlify, sha, signed, type SignedRequest, vercel } from './testing.ts';

const box = textBox(testSecrets.box('stored secret'));
const organizationId = 'o';
const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function makeProjects({ db }: State): Promise<[number, number]> {
  const organization = { id: 'o', name: 'o', slug: 'o', logo: null, metadata: null, createdAt: new Date() };
  await db.insertInto('organization').values(organization).execute();
  const rows = await db
    .insertInto('project')
    .values(
      ['web', 'api'].map((slug) => ({
        organization_id: 'o',
        slug,
        name: slug,
        platform: '',
        short_id_prefix: slug.toUpperCase(),
        settings: '{}',
        created_at: 1,
        first_event_at: null,
      })),
    )
    .returning('id')
    .execute();
  const [web, api] = rows.map(({ id }) => id);
  return [web ?? 0, api ?? 0];
}

interface Hook {
  readonly id: number;
  readonly secret: string;
  readonly url: string;
  send(body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  sendAs(request: SignedRequest): Promise<Answer>;
}
interface Answer {
  readonly status: number;
  readonly result: string;
  readonly detail: string;
  readonly code: string;
}

function serve(state: State, openVisitors: OpenVisitors = openOwnVisitors) {
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    const { status, code, message, retryAfter } =
      error instanceof CodedError ? error : new CodedError('INTERNAL', [], { cause: error });
    if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
    return reply.code(status).send({ code, detail: message });
  });
  void app.register(async (scope) => registerIncoming(scope, { state, live: createLive(), box, openVisitors }));
  open.push(app);
  return app;
}

async function make(
  state: State,
  provider: IncomingProvider,
  mappings: readonly IncomingMapping[],
  app = serve(state),
): Promise<Hook> {
  const { id, secret: made } = await createIncoming(state, box, organizationId, provider, {
    name: provider,
    enabled: true,
    mappings,
  });
  const webhook = await findIncoming(state, organizationId, id);
  if (!webhook) throw new Error('no webhook');
  const secret = made ?? (await rotateIncomingSecret(state, box, webhook, 'the secret of Vercel'));
  const url = `/hooks/${provider}/${webhook.address}`;
  const sendAs = async (request: SignedRequest): Promise<Answer> => {
    const answer = await app.inject({ method: 'POST', url, ...request });
    return { status: answer.statusCode, ...answer.json<Omit<Answer, 'status'>>() };
  };
  let n = 0;
  const idOf: Partial<Record<IncomingProvider, () => Record<string, string>>> = {
    github: () => ({ 'x-github-delivery': `delivery-${n++}` }),
    gitlab: () => ({ 'idempotency-key': `key-${n++}` }),
  };
  return {
    id,
    secret,
    url,
    sendAs,
    send: (body, headers) => sendAs(signed(provider, secret, body, { ...idOf[provider]?.(), ...headers })),
  };
}

const mapping = (projectIds: readonly number[], version: string, more: Partial<IncomingMapping> = {}) => ({
  match: 'acme/shop',
  projectIds,
  version,
  environments: [],
  ...more,
});

async function releaseOf(state: State, version: string) {
  const release = await findRelease(state, organizationId, version);
  if (!release) return undefined;
  const page = { offset: 0, limit: 50, fileLimit: 10 };
  const commits = await listCommits(state, release.id, page);
  return {
    release,
    commits: commits.map(({ sha: id }) => id),
    messages: commits.map(({ message }) => message),
    files: commits.map(({ files }) => files.map(({ path, type }) => `${type} ${path}`)),
    heads: await headsOf(state, release.id),
    deploys: await listDeploys(state, release.id, page),
  };
}

const event = (name: string) => ({ 'x-github-event': name });

onEachDatabase('incoming webhooks', ({ migrated }) => {
  test('GitHub: a push to the default branch makes a release of its commits; a deployment is one of it', async () => {
    const state = await migrated();
    const [web] = await makeProjects(state);
    const hook = await make(state, 'github', [mapping([web], '{commit}')]);
    expect(await hook.send({ zen: 'Keep it simple.' }, event('ping'))).toMatchObject({
      status: 200,
      result: 'ignored',
    });
    expect(await hook.send(github.push([1, 2]), event('push'))).toEqual({
      status: 200,
      result: 'taken',
      detail: `Created release ${sha(2)} of web. 2 commits.`,
    });
    await hook.send(github.push([3]), event('push'));
    expect(await releaseOf(state, sha(2))).toMatchObject({
      commits: [sha(2), sha(1)],
      files: [
        ['M src/cart.ts', 'A src/new-2.ts'],
        ['M src/cart.ts', 'A src/new-1.ts'],
      ],
      heads: [{ repository: 'acme/shop', commit: sha(2), previousCommit: null }],
      release: { ref: 'main' },
    });
    expect(await releaseOf(state, sha(3))).toMatchObject({
      commits: [sha(3)],
      heads: [{ commit: sha(3), previousCommit: sha(2) }],
    });
    const deployed = await hook.send(github.deployment(3), event('deployment_status'));
    expect(deployed.detail).toBe(`Updated release ${sha(3)} of web. Deployed to production.`);
    // GitHub tells the same success again, with another time.
    const again = { ...github.deployment(3), extra: 1 };
    expect((await hook.send(again, event('deployment_status'))).detail).toContain('known already');
    expect(await releaseOf(state, sha(3))).toMatchObject({
      commits: [sha(3)],
      deploys: [
        {
          environment: 'production',
          name: 'GitHub 7',
          url: 'https://shop.example.com',
          dateStarted: Date.UTC(2026, 10, 21, 8, 59),
          dateFinished: Date.UTC(2026, 10, 21, 9),
        },
      ],
    });
    const failed = await hook.send(github.deployment(3, { state: 'failure', id: 8 }), event('deployment_status'));
    expect(failed).toMatchObject({ status: 200, result: 'ignored', detail: expect.stringContaining('failure') });
  });

  test('GitHub: with a rule of tags, commits wait for theirs; the release that is published has its page', async () => {
    const state = await migrated();
    const [web, api] = await makeProjects(state);
    const hook = await make(state, 'github', [mapping([web], 'web@{version}'), mapping([api], '{tag}')]);
    expect((await hook.send(github.push([1, 2]), event('push'))).detail).toBe('2 commits kept for the next release.');
    expect((await hook.send(github.push([2], 'refs/tags/v1.0.0'), event('push'))).detail).toBe(
      'Created release web@1.0.0 of web. 2 commits. Created release v1.0.0 of api. 2 commits.',
    );
    await hook.send(github.push([3]), event('push'));
    await hook.send(github.push([4]), event('push'));
    await hook.send(github.push([4], 'refs/tags/v1.1.0'), event('push'));
    expect(await releaseOf(state, 'web@1.1.0')).toMatchObject({
      commits: [sha(4), sha(3)],
      heads: [{ commit: sha(4), previousCommit: sha(2) }],
    });
    await hook.send(github.release('v1.1.0'), event('release'));
    const { release } = (await releaseOf(state, 'web@1.1.0')) ?? {};
    expect(release).toMatchObject({
      url: 'https://github.example/acme/shop/releases/tag/v1.1.0',
      dateReleased: Date.UTC(2026, 10, 21, 8),
    });
    expect((await hook.send(github.release('v1.1.0', 'edited'), event('release'))).result).toBe('ignored');
    // A deployment names its commit alone: it is of the release that was made of it.
    expect((await hook.send(github.deployment(4), event('deployment_status'))).detail).toBe(
      'Updated release web@1.1.0 of web. Deployed to production. Updated release v1.1.0 of api. Deployed to production.',
    );
    expect((await hook.send(github.deployment(9), event('deployment_status'))).detail).toContain('needs a tag');
  });

  test('GitLab: pushes, tags, releases and deployments of a project in a group', async () => {
    const state = await migrated();
    const [web] = await makeProjects(state);
    const hook = await make(state, 'gitlab', [mapping([web], '{tag}', { match: 'Acme/Tools/Shop' })]);
    await hook.send(gitlab.push([1, 2]));
    await hook.send(gitlab.push([2], 'refs/tags/v2'));
    await hook.send(gitlab.release(2, 'v2'));
    await hook.send(gitlab.deployment(2));
    expect(await releaseOf(state, 'v2')).toMatchObject({
      commits: [sha(2), sha(1)],
      release: { ref: 'v2', dateReleased: Date.UTC(2026, 10, 21, 8) },
      deploys: [{ environment: 'staging', name: 'GitLab 15', dateFinished: Date.UTC(2026, 10, 21, 9) }],
    });
    expect((await hook.send({ ...gitlab.deployment(2), status: 'running' })).result).toBe('ignored');
    const gone = { ...gitlab.push([2], 'refs/tags/v2'), after: '0'.repeat(40), checkout_sha: null };
    expect((await hook.send(gone)).detail).toBe('refs/tags/v2 was deleted.');
    expect((await hook.send(gitlab.push([8], 'refs/heads/try'))).detail).toContain('Push to try');
  });

  test('Vercel: production, preview, and what is promoted; only to environments that are wanted', async () => {
    const state = await migrated();
    const [web] = await makeProjects(state);
    const wanted = mapping([web], '{commit}', { match: 'prj_1', environments: ['production'] });
    const hook = await make(state, 'vercel', [wanted]);
    expect((await hook.send(vercel(1))).detail).toBe(
      `Created release ${sha(1)} of web. 1 commit. Deployed to production.`,
    );
    expect((await hook.send(vercel(2, 'deployment.succeeded', null))).detail).toContain('deploys to preview');
    await hook.send(vercel(2, 'deployment.promoted', null));
    expect(await releaseOf(state, sha(2))).toMatchObject({
      messages: ['Change 2'],
      heads: [{ repository: 'acme/shop', previousCommit: sha(1) }],
      deploys: [{ environment: 'production', name: 'Vercel dpl_2', url: 'https://shop-web-2.vercel.example' }],
    });
    expect((await hook.send({ type: 'project.created', id: 'x', payload: {} })).result).toBe('ignored');
  });

  test('Netlify: a deploy that is ready', async () => {
    const state = await migrated();
    const [web] = await makeProjects(state);
    const hook = await make(state, 'netlify', [mapping([web], '{commit}', { match: 'shop-web' })]);
    expect((await hook.send(netlify(1, { state: 'building' }))).detail).toContain('building');
    await hook.send(netlify(1));
    expect(await releaseOf(state, sha(1))).toMatchObject({
      heads: [{ repository: 'acme/shop' }],
      deploys: [{ environment: 'production', url: 'https://1--shop-web.netlify.example' }],
    });
  });

  test('what was taken is not done again, by its id or as a copy under another one; what was not is tried again', async () => {
    const state = await migrated();
    const [web] = await makeProjects(state);
    const hook = await make(state, 'github', [mapping([web], '{commit}', { match: 'acme/other' })]);
    const named = { ...event('push'), 'x-github-delivery': 'one' };
    expect((await hook.send(github.push([1]), named)).detail).toBe(
      'No mapping is for acme/shop. Add one in Settings, Webhooks.',
    );
    await state.db
      .updateTable('incoming_webhook')
      .set({ mappings: JSON.stringify([mapping([web], '{commit}')]) })
      .execute();
    expect((await hook.send(github.push([1]), named)).result).toBe('taken');
    expect((await hook.send(github.push([1]), named)).result).toBe('repeated');
    expect((await hook.send(github.push([2]), named)).result).toBe('repeated');
    expect((await hook.send(github.push([1]), event('push'))).result).toBe('repeated');
    const many = await Promise.all(
      Array.from({ length: 8 }, () => hook.send(github.push([5]), { ...event('push'), 'x-github-delivery': 'five' })),
    );
    expect(many.map(({ result }) => result).toSorted()).toEqual([
      ...Array.from({ length: 7 }, () => 'repeated'),
      'taken',
    ]);
    const listed = await listIncomingDeliveries(state, { webhookId: hook.id, offset: 0, limit: 10 });
    expect(listed.map(({ delivery, result }) => [delivery, result]).toSorted()).toEqual([
      ['five', 'taken'],
      ['one', 'taken'],
    ]);
  });

  test('a version that no release can have is refused with a sentence, leaves nothing, and is tried again', async () => {
    const state = await migrated();
    const [web] = await makeProjects(state);
    const hook = await make(state, 'github', [mapping([web], '{commit}'), mapping([web], 'a/{commit}')]);
    const named = { ...event('push'), 'x-github-delivery': 'one' };
    const refused = await hook.send(github.push([1]), named);
    expect(refused).toMatchObject({ status: 422, result: 'refused', detail: expect.stringContaining('slashes') });
    expect(await releaseOf(state, sha(1))).toBeUndefined();
    expect(await findIncoming(state, organizationId, hook.id)).toMatchObject({ last: { result: 'refused' } });
    await state.db
      .updateTable('incoming_webhook')
      .set({ mappings: JSON.stringify([mapping([web], '{commit}')]) })
      .execute();
    expect((await hook.send(github.push([1]), named)).result).toBe('taken');
  });

  test('who does not know the secret is let in by none; why is shown until a right one comes', async () => {
    const state = await migrated();
    const [web] = await makeProjects(state);
    const hook = await make(state, 'github', [mapping([web], '{commit}')]);
    const request = signed('github', 'another secret', github.push([1]), event('push'));
    expect(await hook.sendAs(request)).toMatchObject({
      status: 401,
      code: 'INCOMING_UNSIGNED',
      detail: expect.stringContaining('X-Hub-Signature-256 does not match'),
    });
    expect(await findIncoming(state, organizationId, hook.id)).toMatchObject({
      last: null,
      refusal: expect.stringContaining('does not match'),
    });
    expect(await releaseOf(state, sha(1))).toBeUndefined();
    await hook.send(github.push([1]), event('push'));
    const webhook = await findIncoming(state, organizationId, hook.id);
    expect(webhook).toMatchObject({ refusal: '', refusedAt: null, last: { event: 'push', result: 'taken' } });
    if (!webhook) throw new Error('no webhook');
    // The secret before still works for a day, and not longer.
    const next = await rotateIncomingSecret(state, box, webhook, undefined);
    expect((await hook.send(github.push([2]), event('push'))).status).toBe(200);
    expect((await hook.sendAs(signed('github', next, github.push([3]), event('push')))).status).toBe(200);
    await state.db
      .updateTable('incoming_webhook')
      .set({ former_until: Date.now() - 1 })
      .execute();
    expect((await hook.send(github.push([4]), event('push'))).status).toBe(401);
    const { secret } = await state.db.selectFrom('incoming_webhook').select('secret').executeTakeFirstOrThrow();
    expect(secret).toMatch(/^sealed:/);
  });

  test('hostile bodies and addresses are answered, and make nothing', async () => {
    const state = await migrated();
    const [web] = await makeProjects(state);
    const app = serve(state);
    const hook = await make(state, 'github', [mapping([web], '{commit}', { match: '*' })], app);
    const raw = (payload: string) => ({ ...signed('github', hook.secret, {}, event('push')), payload });
    expect((await hook.sendAs(raw('{'))).status).toBe(401);
    const shapes: readonly object[] = [
      {},
      { ref: 5, repository: 'x', commits: 'y', head_commit: [] },
      { ...github.push([1]), commits: [null, 1, { id: 'short' }, { id: {} }] },
      github.push([1], 'refs/heads/main', 'a\0b'),
      { ...github.push([1]), repository: { full_name: 'x'.repeat(100_000), default_branch: 'main' } },
      { ...github.push([1], 'refs/heads/../../etc') },
      { ...github.push([1]), head_commit: { ['__proto__']: { id: sha(1) } }, after: '<script>' },
    ];
    for (const body of shapes) {
      const { status, result } = await hook.send(body, event('push'));
      expect([200, 422], JSON.stringify(body).slice(0, 100)).toContain(status);
      expect(['ignored', 'refused', 'taken']).toContain(result);
    }
    for (const name of ['constructor', '__proto__', 'toString', '']) {
      expect((await hook.send({ of: name }, event(name))).result).toBe('ignored');
    }
    const script = {
      ...github.deployment(6),
      deployment_status: { state: 'success', environment_url: 'javascript:a' },
    };
    await hook.send(script, event('deployment_status'));
    expect((await releaseOf(state, sha(6)))?.deploys).toMatchObject([{ url: '' }]);
    const elsewhere = hook.url.replace('github', 'gitlab');
    expect((await app.inject({ method: 'POST', url: elsewhere, payload: {} })).statusCode).toBe(404);
    expect((await app.inject({ method: 'GET', url: hook.url })).statusCode).toBe(405);
    const large = await hook.send({ text: 'x'.repeat(10 * 1024 * 1024) }, event('push'));
    expect(large).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    const push = github.push([8]);
    const commits = [{ ...push.head_commit, message: 'm'.repeat(1e6), added: ['p'.repeat(1e6), 'a.ts'] }];
    expect((await hook.send({ ...push, commits }, event('push'))).result).toBe('taken');
    const kept = await state.db.selectFrom('incoming_commit').select('data').where('sha', '=', sha(8)).execute();
    expect(kept.map(({ data }) => data.length < 12_000)).toEqual([true]);
    const form = new URLSearchParams({ payload: JSON.stringify(github.push([7])) }).toString();
    const signature = `sha256=${createHmac('sha256', hook.secret).update(form).digest('hex')}`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-hub-signature-256': signature,
      ...event('push'),
    };
    expect((await hook.sendAs({ payload: form, headers })).result).toBe('taken');
  });

  test('guessing addresses and sending much is slowed down', async () => {
    const state = await migrated();
    await makeProjects(state);
    const fewer = { burst: 3, perSecond: 0.001 };
    const app = serve(state, (name, allowed) => openOwnVisitors(name, name === 'incoming-webhooks' ? fewer : allowed));
    const hook = await make(state, 'github', [], app);
    const statuses = new Set<number>();
    for (let n = 0; n < 35; n += 1) {
      const { statusCode, headers } = await app.inject({ method: 'POST', url: `/hooks/github/guess${n}` });
      statuses.add(statusCode);
      if (statusCode === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect([...statuses]).toEqual([404, 429]);
    const answers: number[] = [];
    for (let n = 0; n < 4; n += 1) answers.push((await hook.send({ n }, event('ping'))).status);
    expect(answers).toEqual([200, 200, 200, 429]);
  });

  test('a disabled one takes nothing; projects that are gone are left out', async () => {
    const state = await migrated();
    const [web] = await makeProjects(state);
    const hook = await make(state, 'github', [mapping([web + 1_000], '{commit}')]);
    expect((await hook.send(github.push([1]), event('push'))).detail).toContain('were deleted');
    await state.db.updateTable('incoming_webhook').set({ enabled: 0 }).execute();
    expect(await hook.send(github.push([2]), event('push'))).toMatchObject({ status: 403, code: 'INCOMING_DISABLED' });
  });
});
