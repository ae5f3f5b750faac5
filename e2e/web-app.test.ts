/** The recorded React page: its builds uploaded by sentry-cli, its events sent, every frame where it was written. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, Server } from '../server/test/harness.ts';
import { storedEvent } from './built-script.ts';
import { sentryCli, uploadSettings } from './uploads.ts';

const fixtures = fileURLToPath(new URL('../../shared/fixtures/', import.meta.url));
const present = existsSync(fixtures);
if (!present) console.log('shared/fixtures is absent: the recorded page was left out');

interface ExpectedFrame {
  readonly minified: {
    readonly filename: string;
    readonly lineno: number | null;
    readonly colno: number | null;
    readonly function: string;
  };
  readonly original: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    /** null: not asserted. */
    readonly function: string | null;
    readonly context_line?: string;
  } | null;
}
interface ExpectedEvent {
  readonly capture: string;
  readonly event_id: string;
  readonly bundle: string;
  readonly exceptions: readonly { readonly frames: readonly ExpectedFrame[] }[];
}

const expected: readonly ExpectedEvent[] = present
  ? (JSON.parse(await readFile(join(fixtures, 'web-app/expected.json'), 'utf8')) as { events: ExpectedEvent[] }).events
  : [];

describe.skipIf(!present)('the recorded page', () => {
  let server: Server;
  let directory: string;

  beforeAll(async () => {
    [server, directory] = await Promise.all([Server.create(), mkdtemp(join(tmpdir(), 'culprit-web-app-'))]);
    const settings = await uploadSettings(server);
    await cp(join(fixtures, 'web-app'), directory, { recursive: true });
    const assets = join(directory, 'dist/assets');
    for (const name of await readdir(assets)) {
      if (!name.endsWith('.gz')) continue;
      await writeFile(join(assets, name.slice(0, -3)), gunzipSync(await readFile(join(assets, name))));
      await rm(join(assets, name));
    }
    for (const words of [
      'sourcemaps upload --wait dist',
      'sourcemaps upload --wait --release web@5.6.7 --dist 99 --url-prefix ~/assets dist-no-debug-ids/assets',
    ]) {
      const { code, output } = await sentryCli(words.split(' '), directory, settings);
      if (code !== 0) throw new Error(output);
    }
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  async function send({ capture }: ExpectedEvent): Promise<void> {
    const bytes = await readFile(join(fixtures, `${capture}.body`));
    // A client of this server would name this server's DSN, or none.
    const end = bytes.indexOf(0x0a);
    const header = JSON.parse(bytes.subarray(0, end).toString()) as Record<string, unknown>;
    delete header.dsn;
    const body = Buffer.concat([Buffer.from(JSON.stringify(header)), bytes.subarray(end)]);
    const response = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
    expect(response.status).toBe(200);
  }

  test.each(expected)('$capture ($bundle)', async (one) => {
    await send(one);
    const stored = await server.until('the event', () => storedEvent(server, one.event_id));
    const wanted = one.exceptions.map(({ frames }) =>
      frames.map(({ minified, original }) => {
        // How the SDK says that it does not know.
        const sent = minified.function === '?' ? null : minified.function;
        if (!original) {
          return { place: `${minified.filename}:${minified.lineno}:${minified.colno}`, function: sent };
        }
        return {
          place: `${original.file}:${original.line}:${original.column}`,
          function: original.function ?? (sent === null ? null : expect.anything()),
          line: original.context_line ?? expect.anything(),
          sent: `${minified.filename}:${minified.lineno}:${minified.colno} ${sent ?? undefined}`,
        };
      }),
    );
    const got = stored.stacks.map((frames) =>
      frames.map(({ filename, lineNo, colNo, function: name, context, data }) => {
        const place = { place: `${filename}:${lineNo}:${colNo}`, function: name };
        const raw = data?.raw;
        if (!raw) return place;
        return {
          ...place,
          line: context.find(([line]) => line === lineNo)?.[1],
          sent: `${raw.filename}:${raw.lineno}:${raw.colno} ${raw.function}`,
        };
      }),
    );
    expect(got).toEqual(wanted);
  });
});
