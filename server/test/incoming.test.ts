/**
 * The real server told by GitHub of a push and a deployment, killed while many tell it at once: what it answered for is
 * there, what it did not is done when it is sent again, and nothing is there twice. The sender is the test's; it sends
 * what GitHub's documents say.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { github, sha, signed } from '../src/web/incoming/testing.ts';
import { Server } from './harness.ts';

let server: Server;
beforeAll(async () => {
  server = await Server.create({ CULPRIT_SELF_REPORT: 'off' });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

interface Hook {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}
interface Deploy {
  readonly name: string;
  readonly environment: string;
}

test('each delivery is done once, whenever the server dies', { timeout: 120_000 }, async () => {
  const org = `/organizations/${server.installed.organization}`;
  const [project] = await server.api<{ slug: string }[]>(`${org}/projects/`);
  const hook = await server.api<Hook>(`${org}/incoming-webhooks/`, {
    method: 'POST',
    body: JSON.stringify({
      name: 'Shop',
      provider: 'github',
      mappings: [{ match: 'acme/shop', projects: [project?.slug], version: '{commit}' }],
    }),
  });
  const send = async (n: number): Promise<string> => {
    const headers = { 'x-github-event': 'deployment_status', 'x-github-delivery': `deployment ${n}` };
    const request = signed('github', hook.secret, github.deployment(1, { id: n }), headers);
    const { pathname } = new URL(hook.url);
    const response = await fetch(`${server.url}${pathname}`, {
      method: 'POST',
      headers: request.headers,
      body: request.payload,
    });
    const { result } = (await response.json()) as { result: string };
    return result;
  };
  expect(await send(0)).toBe('taken');
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  const first = ids.map((n) => send(n).catch(() => 'cut off'));
  await Promise.race(first);
  await server.kill();
  const told = await Promise.all(first);
  expect(told).toContain('taken');
  await server.start();
  const again: string[] = [];
  for (const n of ids) again.push(await send(n));
  // Whoever was answered is known; the others are done now, or were when the answer was cut off.
  for (const [index, result] of again.entries()) {
    if (told[index] === 'taken') expect(result).toBe('repeated');
    else expect(['taken', 'repeated']).toContain(result);
  }
  const deploys = await server.api<Deploy[]>(`${org}/releases/${sha(1)}/deploys/?limit=100`);
  expect(deploys.map(({ name }) => name).toSorted()).toEqual([0, ...ids].map((n) => `GitHub ${n}`).toSorted());
  const listed = await server.api<{ result: string }[]>(`${org}/incoming-webhooks/${hook.id}/deliveries/?limit=100`);
  expect(listed.map(({ result }) => result)).toEqual([0, ...ids].map(() => 'taken'));
});
