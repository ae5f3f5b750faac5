/** Data directories that earlier versions wrote: the program of now starts on them and finds everything that was there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listDataDirs, readManifest, unpackDataDir } from '../../fixtures/data-dirs/index.ts';
import { endurance, realHashes, Server } from './harness.ts';
import { ask, collectContents, collectPages, ofProgram, withoutSentences } from './old-data/facts.ts';

/** Between the kill and the start. */
const awayMs = 5_000;

describe.each(listDataDirs())('written by %s', (name) => {
  const manifest = readManifest(name);
  const { facts } = manifest;
  const { organization, tokens, owner } = manifest;
  let server: Server;

  beforeAll(async () => {
    const environment = { ...manifest.environment, CULPRIT_PERFORMANCE_WAIT_SECONDS: '0' };
    server = await Server.create({ ...environment, ...realHashes }, { init: false, start: false, clock: true });
    await unpackDataDir(name, server.dataDir);
    // Sessions end, issues grow old, lists show the last days: it goes on soon after it was killed, whatever day it is.
    await server.moveClock(manifest.recordedAt + awayMs - Date.now());
    await server.start();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  const { pages: expectedPages, ...expectedContents } = facts;

  /** Once what was left in the log is processed: rows, issues, attachments. */
  async function findContents(): Promise<void> {
    await server.drained();
    const find = async (): Promise<true> => {
      const contents = await collectContents(server, manifest);
      expect(contents.rows).toEqual(facts.rows);
      expect(contents).toMatchObject(expectedContents);
      return true;
    };
    // Alerts about what was left in the log fire, and are told, some time after it is processed.
    await server.until('everything that was there', find, 120_000);
  }

  /** All that was asked when the directory was recorded, but what the program offers by itself. */
  async function findPages(): Promise<void> {
    let paths = manifest.paths.filter((path) => !ofProgram.test(path));
    const find = async (): Promise<boolean> => {
      const pages = await collectPages(server, { ...manifest, paths });
      const isThere = (path: string): boolean => {
        try {
          expect({ page: pages[path] }).toMatchObject({ page: withoutSentences(expectedPages[path] ?? null) });
          return typeof pages[path] !== 'string';
        } catch {
          return false;
        }
      };
      // What is as it was is not asked for again.
      paths = paths.filter((path) => !isThere(path));
      const wanted = Object.fromEntries(paths.map((path) => [path, withoutSentences(expectedPages[path] ?? null)]));
      if (paths.length) expect(pages).toMatchObject(wanted);
      return paths.length === 0;
    };
    await server.until('all pages are as they were', find, 120_000);
  }

  const as = (init: RequestInit = {}): RequestInit => ({
    ...init,
    headers: { 'content-type': 'application/json', origin: server.url, ...init.headers },
  });

  test('what was left in the log is processed; rows, issues, attachments and pages are as they were', async () => {
    // All is looked at below, once nothing is under way any more.
    await (endurance ? findContents().then(findPages) : server.drained());
    for (const event of manifest.inLog) {
      const { status } = await ask(server, `/organizations/${organization}/eventids/${event}/`, tokens.owner);
      expect([event, status]).toEqual([event, 200]);
    }
  });

  test('whole events are moved out of the rows, and everything is as it was', async () => {
    await using events = await server.events();
    await server.until(
      'the rows have none',
      async () => {
        const [row] = await events.query<{ n: number }>(`SELECT countIf(payload != '') AS n FROM errors`);
        return row?.n === 0;
      },
      60_000,
    );
    await findContents();
    await findPages();
  });

  test('tokens do what they did, the session goes on, the password is the same', async () => {
    const statusesOf = (token: string) =>
      Promise.all(
        [
          `/organizations/${organization}/issues/`,
          `/organizations/${organization}/members/`,
          `/organizations/${organization}/chunk-upload/`,
        ].map(async (path) => (await ask(server, path, token)).status),
      );
    expect(await statusesOf(tokens.owner)).toEqual([200, 200, 200]);
    expect(await statusesOf(tokens.member)).toEqual([200, 200, 403]);
    expect(await statusesOf(tokens.build)).toEqual([403, 403, 200]);
    const self = await fetch(`${server.url}/api/0/organizations/`, { headers: { cookie: manifest.session } });
    expect([self.status, await self.json()]).toMatchObject([200, [{ slug: organization }]]);
    const signedIn = await fetch(
      `${server.url}/api/auth/sign-in/email`,
      as({ method: 'POST', body: JSON.stringify(owner) }),
    );
    expect(signedIn.status).toBe(200);
  });

  test('the open invitation can be taken', async () => {
    const link = `${server.url}/api/0/invitations/${manifest.invitation.token}/`;
    const shown = await fetch(link);
    expect([shown.status, await shown.json()]).toMatchObject([200, { email: manifest.invitation.email }]);
  });

  test('the secret of the channel can be read', async () => {
    const answer = await ask(server, `/organizations/${organization}/channels/`, tokens.owner);
    const channels = (await answer.json()) as { id: string; config: { secret?: string } }[];
    // It is shown by its end.
    const shown = channels.find(({ id }) => id === manifest.channel.id)?.config.secret;
    expect(shown?.slice(-4)).toBe(manifest.channel.secret.slice(-4));
  });

  test('a second start keeps it all', async () => {
    await server.stop();
    await server.start();
    await findContents();
    expect(server.output).not.toMatch(/"level":(?:50|60)/);
  });
});
