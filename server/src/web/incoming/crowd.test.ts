/** Two hundred at once, on two nodes with one PostgreSQL: each is answered and done once. The sender is the test's. */
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { CodedError } from '../../base/errors.ts';
import { createLive } from '../../base/live.ts';
import { textBox } from '../../base/secrets/index.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { createIncoming, createReceive, findIncoming } from '../../domains/incoming/index.ts';
import { findRelease, listCommits, listDeploys } from '../../domains/releases/index.ts';
import { openOwnVisitors } from '../../ingest/index.ts';
import { openState } from '../../ports/state/open.ts';
import type { State } from '../../ports/state/state.ts';
import { onPostgres } from '../../ports/state/testing/databases.ts';
import { registerIncoming } from './register.ts';
import { github, sha, signed, type SignedRequest } from './testing.ts';

const box = textBox(testSecrets.box('stored secret'));
const organization = { id: 'o', name: 'o', slug: 'o', logo: null, metadata: null, createdAt: new Date(0) };
const mostly = { burst: 1_000, perSecond: 1_000 };

async function makeHook(state: State) {
  await state.db.insertInto('organization').values(organization).execute();
  const { id: projectId } = await state.db
    .insertInto('project')
    .values({
      organization_id: 'o',
      slug: 'web',
      name: 'web',
      platform: '',
      short_id_prefix: 'WEB',
      settings: '{}',
      created_at: 1,
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id, secret } = await createIncoming(state, box, 'o', 'github', {
    name: 'Shop',
    enabled: true,
    mappings: [{ match: '*', projectIds: [projectId], version: '{commit}', environments: [] }],
  });
  const webhook = await findIncoming(state, 'o', id);
  if (!webhook || secret === null) throw new Error('no webhook');
  return { webhook, secret, url: `/hooks/github/${webhook.address}` };
}

function serve(state: State) {
  const app = fastify();
  app.setErrorHandler((error: Error, _request, reply) => {
    if (!(error instanceof CodedError)) return reply.code(500).send({ result: error.message });
    return reply.code(error.status).send({ result: error.code });
  });
  const openVisitors: typeof openOwnVisitors = (name) => openOwnVisitors(name, mostly);
  void app.register(async (scope) => registerIncoming(scope, { state, live: createLive(), box, openVisitors }));
  return app;
}

onPostgres('incoming webhooks of a crowd', ({ migratedPlace }) => {
  test('all are answered with 200 and done once, some of them told to both', { timeout: 120_000 }, async () => {
    const place = await migratedPlace();
    await using one = await openState(place);
    await using other = await openState(place);
    const { secret, url } = await makeHook(one);
    const apps = [serve(one), serve(other)];
    const send = async (request: SignedRequest, node: number): Promise<string> => {
      const answer = await apps[node]?.inject({ method: 'POST', url, ...request });
      return `${answer?.statusCode} ${answer?.json<{ result: string }>().result}`;
    };
    const request = (n: number): SignedRequest => {
      const isPush = n % 4 === 0;
      const headers = {
        'x-github-event': isPush ? 'push' : 'deployment_status',
        'x-github-delivery': `delivery ${n}`,
      };
      return signed('github', secret, isPush ? github.push([n + 1]) : github.deployment(1, { id: n }), headers);
    };
    // The first push is there before the deployments of its commit.
    expect(await send(request(0), 0)).toBe('200 taken');
    const ns = Array.from({ length: 180 }, (_, index) => index + 1);
    const told = await Promise.all([
      ...ns.map((n) => send(request(n), n % 2)),
      ...ns.slice(0, 20).map((n) => send(request(n), (n + 1) % 2)),
    ]);
    const counts = Object.fromEntries([...Map.groupBy(told, (one) => one)].map(([key, all]) => [key, all.length]));
    expect(counts).toEqual({ '200 taken': 180, '200 repeated': 20 });
    const page = { offset: 0, limit: 500, fileLimit: 1 };
    const first = await findRelease(one, 'o', sha(1));
    const deploys = await listDeploys(one, first?.id ?? 0, page);
    const expected = ns.filter((n) => n % 4 !== 0).map((n) => `GitHub ${n}`);
    expect(deploys.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
    const pushed = ns.filter((n) => n % 4 === 0);
    for (const n of [0, ...pushed]) {
      const release = await findRelease(one, 'o', sha(n + 1));
      const commits = await listCommits(one, release?.id ?? 0, page);
      expect(commits.map((commit) => commit.sha)).toContain(sha(n + 1));
    }
    for (const app of apps) await app.close();
  });

  test('more than may wait are answered 503 with a time, and leave nothing', { timeout: 60_000 }, async () => {
    const place = await migratedPlace();
    await using state = await openState(place);
    const { webhook, secret } = await makeHook(state);
    const receive = createReceive({ state, live: createLive() });
    const large = 'x'.repeat(30 * 1024 * 1024);
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map((n) => {
        const headers = { 'x-github-event': 'push', 'x-github-delivery': String(n) };
        const request = signed('github', secret, { ...github.push([n]), large }, headers);
        return receive(webhook, { headers: request.headers, body: Buffer.from(request.payload) });
      }),
    );
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as CodedError] : []));
    expect(refused.map(({ code, status, retryAfter }) => [code, status, retryAfter])).toEqual([
      ['INCOMING_BUSY', 503, 30],
      ['INCOMING_BUSY', 503, 30],
    ]);
    const { n } = await state.db
      .selectFrom('incoming_delivery')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(Number(n)).toBe(2);
  });
});
