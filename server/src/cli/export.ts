import { once } from 'node:events';
import type { Config } from '../base/config.ts';
import { lockDataDir } from '../base/data-dir.ts';
import { CodedError } from '../base/errors.ts';
import { general } from '../base/texts/cli.ts';
import { exports as texts } from '../base/texts/export.ts';
import { quoted, things } from '../base/texts/things.ts';
import { type Compression, openDirectory, openTar, type Place, writeExport } from '../domains/export/index.ts';
import { listProjects } from '../domains/projects/index.ts';
import { openBlobs } from '../ports/blobs/open.ts';
import type { Events } from '../ports/events/events.ts';
import { connectEvents, openEvents } from '../ports/events/open.ts';
import type { State } from '../ports/state/state.ts';
import { readRunning } from '../running.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { findOrganization, openInstallation } from './stores.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: texts.summary,
  usage: 'DIR | - [--project SLUG] [--since TIME] [--until TIME] [--gzip | --zstd] [--org SLUG] [--json]',
  options: {
    project: { type: 'string', placeholder: 'SLUG', help: texts.project },
    since: { type: 'string', placeholder: 'TIME', help: texts.since },
    until: { type: 'string', placeholder: 'TIME', help: texts.until },
    gzip: { type: 'boolean', help: texts.gzip },
    zstd: { type: 'boolean', help: texts.zstd },
    org: { type: 'string', placeholder: 'SLUG', help: general.organization },
  },
  words: 1,
  examples: [
    'culprit export /backup/culprit-2026-11-26 --zstd',
    'culprit export /backup/web --project web --since 2026-11-01T00:00:00Z',
    'culprit export - --gzip > culprit.tar',
  ],
  async run(invocation) {
    const { config, words, text, print } = invocation;
    const [dir] = words;
    if (dir === undefined || dir === '') throw new UsageError(texts.placeNeeded);
    if (dir === '-' && process.stdout.isTTY) throw new UsageError(texts.terminal);
    const compression = compressionOf(invocation);
    const range = rangeOf(invocation);
    await using opened = new AsyncDisposableStack();
    const state = opened.use(await openInstallation(config));
    const organization = await findOrganization(state, text('org'));
    const projects = await chosen(state, organization.id, text('project'));
    const events = await eventsHere(config, opened);
    const blobs = openBlobs({ url: config.blobsUrl, dataDir: config.dataDir });
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort(new Error('interrupted')));
    const asked = {
      organizationId: organization.id,
      organization: organization.slug,
      projects,
      isPart: text('project') !== undefined,
      range,
      compression,
      signal: stop.signal,
    };
    const manifest = await writeExport({ state, events, blobs }, await placeOf(dir), asked, progress(invocation));
    const records = Object.values(manifest.counts).reduce((sum, count) => sum + count, 0);
    const { files, ...facts } = manifest;
    const summary = { ...facts, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
    const lines = [
      texts.done(records, files.length, dir === '-' ? 'tar' : dir),
      ...Object.entries(manifest.counts).map(([kind, count]) => texts.counted(kind, count)),
    ];
    // Standard output is the tar.
    if (dir === '-') process.stderr.write(`${invocation.json ? JSON.stringify(summary) : lines.join('\n')}\n`);
    else print(summary, lines);
    return 0;
  },
};

function compressionOf({ flag }: Invocation): Compression {
  if (flag('gzip') && flag('zstd')) throw new UsageError(texts.oneCompression);
  return flag('gzip') ? 'gzip' : flag('zstd') ? 'zstd' : undefined;
}

function rangeOf({ text }: Invocation) {
  const timeOf = (option: 'since' | 'until', usual: number): number => {
    const said = text(option);
    if (said === undefined) return usual;
    const at = Date.parse(said);
    if (Number.isNaN(at)) throw new UsageError(texts.time(option));
    return at;
  };
  // Clocks of clients may be ahead.
  const [startMs, endMs] = [timeOf('since', 0), timeOf('until', Date.now() + 60_000)];
  if (startMs >= endMs) throw new UsageError(texts.order);
  return { startMs, endMs, open: false };
}

async function chosen(
  state: State,
  organizationId: string,
  list: string | undefined,
): Promise<ReadonlyMap<number, string>> {
  const all = await listProjects(state, organizationId);
  if (list === undefined) return new Map(all.map(({ id, slug }) => [id, slug]));
  return new Map(
    list.split(',').map((word) => {
      const found = all.find(({ slug, id }) => slug === word.trim() || String(id) === word.trim());
      if (!found) throw new CodedError('NOT_FOUND', [things.project(quoted(word))]);
      return [found.id, found.slug];
    }),
  );
}

/** Of the running server, else opened here: then nobody else may start meanwhile. */
async function eventsHere(config: Config, opened: AsyncDisposableStack): Promise<Events> {
  const running = await readRunning(config.dataDir);
  if (running) return opened.use(connectEvents(running.events));
  opened.use(await lockDataDir(config.dataDir));
  const store = opened.use(
    await openEvents({ url: config.eventsUrl, blobsUrl: config.blobsUrl, dataDir: config.dataDir }),
  );
  await store.prepare({ retentionDays: config.retentionDays });
  return store.events;
}

async function placeOf(dir: string): Promise<Place> {
  if (dir !== '-') return openDirectory(dir);
  return openTar(async (bytes) => {
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
  }, Date.now());
}

/** Once in a while, for who looks. */
function progress({ json }: Invocation): (kind: string, records: number) => void {
  if (json || !process.stderr.isTTY) return () => {};
  let [last, said] = ['', 0];
  return (kind, records) => {
    if (kind === last && Date.now() - said < 1_000) return;
    [last, said] = [kind, Date.now()];
    process.stderr.write(`${texts.progress(kind, records)}\n`);
  };
}
