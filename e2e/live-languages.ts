/** Programs in other languages, with their SDKs, send to a real server what they sent when they were recorded. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listLanguageFixtures, readLanguageFixture } from '../fixtures/index.ts';
import { runScenario } from '../scripts/recorder/languages/run.ts';
import { senders } from '../scripts/recorder/languages/senders.ts';
import { type Language, missingTools, type Program } from '../scripts/recorder/languages/toolchains.ts';
import { Server } from '../server/test/harness.ts';
import { at } from '../server/test/languages/compare.ts';
import type { Json } from '../server/test/languages/json.ts';
import { neutral } from '../server/test/languages/neutral.ts';
import { framesOf, replay } from '../server/test/languages/replay.ts';

/** The program's own calls. */
const ownCalls = (event: Json): string[] =>
  framesOf(event)
    .filter(({ module, filename, function: name }) =>
      /\bshop\b/.test(`${String(module)} ${String(filename)} ${String(name)}`),
    )
    .map(({ function: name }) => `at ${String(name)}`);

/** What one run has in common with the next: the SDK, kinds and texts of errors, and the program's own calls. */
function essence(event: Json, directories: readonly string[]): string {
  const { exception, logentry, release } = neutral(event);
  const errors = (at(exception, ['values']) as Json[] | undefined) ?? [];
  const threads = ((event.threads as Json | undefined)?.values ?? []) as Json[];
  const lines = [
    `${String(at(event, ['sdk', 'name']))} ${String(at(event, ['sdk', 'version']))} ${String(release)}`,
    at(logentry, ['formatted']) as string | undefined,
    ...errors.map(({ type, value }) => `${String(type)}: ${String(value)}`),
    ...ownCalls({ exception: event.exception }),
    // A runtime has its threads in no order.
    ...threads.map((thread) => ownCalls({ threads: [thread] }).join('\n')).toSorted(),
  ];
  return directories.reduce((text, directory) => text.replaceAll(directory, '/app'), lines.filter(Boolean).join('\n'));
}

/** How many scenarios run at a time: they wait more than they compute. */
const atOnce = 3;

/** `allowedMs` for building what is not built yet. */
export function describeLive(language: Language, allowedMs: number): void {
  const own = senders.filter((sender) => sender.language === language);
  const folders = new Set(own.map(({ folder }) => folder));

  describe.sequential(language, () => {
    let server: Server;
    let programs: Program[];
    beforeAll(async () => {
      const missing = missingTools(language);
      if (missing.length) throw new Error(`Programs in ${language} need ${missing.join(' and ')}.`);
      programs = own.map((sender) => sender.make());
      server = await Server.create();
    }, allowedMs);
    afterAll(() => server?.[Symbol.asyncDispose]());

    async function stored(except: ReadonlySet<unknown> = new Set()): Promise<Json[]> {
      await server.drained();
      const root = `/projects/${server.installed.organization}/${server.installed.project}/events/`;
      await using store = await server.events();
      const ids = await store.query<{ id: string }>(
        "SELECT event_id AS id FROM errors WHERE issue_type = '' AND payload_ordinal >= 0",
      );
      const wanted = ids.filter(({ id }) => !except.has(id));
      return Promise.all(wanted.map(({ id }) => server.api<Json>(`${root}${id}/json/`)));
    }

    test('live programs send what they sent when they were recorded', async () => {
      const fixtures = listLanguageFixtures().filter((name) => folders.has(name.split('/', 1)[0] ?? ''));
      for (const name of fixtures) expect((await replay(readLanguageFixture(name), server.installed)).status).toBe(200);
      const recorded = await stored();
      expect(recorded.length).toBeGreaterThan(10);

      const { username, pathname } = new URL(server.installed.dsn);
      const to = { origin: server.url, key: username, id: pathname.slice(1) };
      const runs = own.flatMap(({ scenarios }, index) => {
        const program = programs[index];
        return program
          ? scenarios.map(
              ({ name }) =>
                () =>
                  runScenario(program, name, to),
            )
          : [];
      });
      const next = async (): Promise<void> => {
        for (let run = runs.shift(); run; run = runs.shift()) await run();
      };
      await Promise.all(Array.from({ length: atOnce }, next));
      const live = await stored(new Set(recorded.map((event) => event.event_id)));
      const directories = programs.map(({ directory }) => directory);
      const essences = (events: Json[]): string[] => events.map((event) => essence(event, directories)).toSorted();
      expect(essences(live)).toEqual(essences(recorded));
    });
  });
}
