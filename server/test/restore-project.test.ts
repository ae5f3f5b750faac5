/** One project of a backup, restored into an installation that has others: all of it, once, and nobody else notices. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { culprit, endurance, errorEnvelope, newEventId, Server } from './harness.ts';
import { bug, builtErrors, type Filled, fillProject, post } from './whole-project/fill.ts';
import { rowsOf, seenFrames, seenIssues, seenProject } from './whole-project/seen.ts';

let root: string;
let source: Server;
let target: Server;
let shopDsn: string;
let filled: Filled;

const at = (server: Server) => ({ CULPRIT_DATA_DIR: server.dataDir });

const createProject = (server: Server, name: string) =>
  server.api<{ id: string; dsn: string }>('/organizations/acme/projects/', {
    method: 'POST',
    body: JSON.stringify({ name }),
  });

const idOf = async (server: Server, slug: string): Promise<number> =>
  Number((await server.api<{ id: string }>(`/projects/acme/${slug}/`)).id);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-restore-'));
  [source, target] = await Promise.all([
    Server.create({ CULPRIT_SELF_REPORT: 'off' }),
    Server.create({ CULPRIT_SELF_REPORT: 'off' }),
  ]);
  const shop = await createProject(source, 'Shop');
  shopDsn = shop.dsn;
  // Takes the id that the other has there.
  await createProject(target, 'Taken');
  for (let n = 0; n < 12; n++) {
    await post(source.installed.dsn, errorEnvelope(newEventId(), { message: 'of another project' }));
    await post(target.installed.dsn, errorEnvelope(newEventId(), { message: 'was here before' }));
  }
  filled = await fillProject(source, 'shop', shopDsn, Number(shop.id));
  await target.drained();
});
afterAll(async () => {
  await source?.[Symbol.asyncDispose]();
  await target?.[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

test('all of it, after kills, and no other project is another than before', async () => {
  const shopId = await idOf(source, 'shop');
  const before = {
    issues: await seenIssues(source, 'shop'),
    rows: await rowsOf(source, shopId),
    project: await seenProject(source, 'shop', shopId),
  };
  const [first = ''] = filled.eventIds;
  const event = await source.api<Record<string, unknown>>(`/projects/acme/shop/events/${first}/`);
  const others = { issues: await seenIssues(target, 'web'), rows: await rowsOf(target, 1) };
  expect(before.rows).toMatchObject({ errors: 30, spans: 1, logs: 2, hours: 30, sessions: 1 });
  expect(before.project).toMatchObject({
    rules: expect.arrayContaining([expect.objectContaining({ name: 'Loud' })]) as object[],
    searches: [{ name: 'Checkout', isPinned: true }, { name: 'Slow' }],
    bundles: [{}],
    debugFiles: [{ debugId: filled.debugIds.mapping }],
    logs: [{ message: 'card paid', numbers: { 'cart.total': 12.5 } }, { level: 'error' }],
  });

  // What is queued by then comes as well.
  await post(shopDsn, bug(newEventId(), 0));
  await source.kill();
  expect(await culprit(['backup', root], at(source))).toMatchObject({ code: 0 });
  if (endurance) expect((await culprit(['restore', root, '--project', 'shop'], at(target))).code).toBe(1);
  await target.stop();
  const args = ['restore', root, '--project', 'shop', '--key-file', join(source.dataDir, 'secret.key')];
  const kills = endurance ? Array.from({ length: 16 }, (_, round) => 300 + round * 400) : [2_000];
  let code = 1;
  for (const killAfterMs of kills) {
    ({ code } = await culprit(args, at(target), '', { killAfterMs }));
    if (code === 0) break;
  }
  if (code !== 0) {
    const last = await culprit(args, at(target));
    // One that was killed once all was there leaves nothing to do.
    expect([last.code, last.stderr]).toEqual(last.code === 0 ? [0, ''] : [1, expect.stringContaining('SLUG_TAKEN')]);
  }
  const again = await culprit(args, at(target));
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--as acme/SLUG') });
  const slugs = ['shop'];
  if (endurance) {
    const copied = await culprit([...args, '--as', 'acme/shop-copy', '--json'], at(target));
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(copied.stdout)).toMatchObject({ slug: 'shop-copy', keysTaken: 1, rows: { errors: 31 } });
    slugs.push('shop-copy');
  }

  await target.start();
  for (const slug of slugs) {
    const id = await idOf(target, slug);
    const rows = await rowsOf(target, id);
    expect(rows).toEqual({ ...before.rows, errors: 31, hours: 31, outcomes: (before.rows['outcomes'] ?? 0) + 1 });
    const issues = await seenIssues(target, slug);
    expect(Object.keys(issues).toSorted()).toEqual(Object.keys(before.issues).toSorted());
    for (const [title, facts] of Object.entries(before.issues)) {
      if (!title.startsWith('Error0')) expect(issues[title]).toEqual(facts);
    }
    // Of an organisation a bundle is one, whoever of its projects has it.
    const bundles = before.project.bundles.map((bundle) => ({ ...bundle, projects: slugs }));
    expect(await seenProject(target, slug, id)).toEqual({ ...before.project, bundles });
    const here = await target.api<Record<string, unknown>>(`/projects/acme/${slug}/events/${first}/`);
    for (const part of ['eventID', 'entries', 'tags', 'contexts', 'user', 'dateCreated', 'sdk']) {
      expect(here[part], part).toEqual(event[part]);
    }
    const path = `/projects/acme/${slug}/events/${first}/attachments/`;
    const [file] = await target.api<readonly { id: string; size: number }[]>(path);
    expect(file?.size).toBe(50_000);
    const headers = { authorization: `Bearer ${target.installed.token}` };
    const bytes = await fetch(`${target.url}/api/0${path}${file?.id}/?download=1`, { headers });
    expect((await bytes.text()).length).toBe(50_000);
  }
  expect({ issues: await seenIssues(target, 'web'), rows: await rowsOf(target, 1) }).toEqual(others);

  // Only the host of its DSN is another, and what was uploaded for it is used.
  const { username, pathname } = new URL(shopDsn);
  expect(String(await idOf(target, 'shop'))).not.toBe(pathname.slice(1));
  const dsn = `http://${username}@127.0.0.1:${target.port}${pathname}`;
  await post(dsn, bug(newEventId(), 0));
  const built = builtErrors(filled.debugIds);
  for (const { body } of built) await post(dsn, body);
  await target.drained();
  await target.until('it is of the issue that was restored', async () => {
    const { 'Error0: broken 0': issue } = await seenIssues(target, 'shop');
    return issue?.count === '12';
  });
  const frames = await Promise.all(built.map(({ id }) => seenFrames(target, 'shop', id)));
  expect(frames).toEqual([[expect.stringMatching(/src\/shop\.ts:.*:1$/)], [expect.stringMatching(/:order:6$/)]]);
});
