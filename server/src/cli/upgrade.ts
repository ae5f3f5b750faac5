/** `culprit upgrade`: how to get to this version, and with `--check` what it will do to the data directory. */
import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../base/config.ts';
import { ignoreMissing } from '../base/files.ts';
import { version } from '../base/version.ts';
import { upgrade as texts } from '../base/texts/upgrade.ts';
import { connectEvents } from '../ports/events/open.ts';
import {
  endsAt,
  isKnown,
  isReturning,
  isSame,
  listPoints,
  ownBytes,
  type Plan,
  planUpgrade,
  readWrittenBy,
  thisProgram,
  type WrittenBy,
} from '../ports/restore-points/index.ts';
import { readRunning, type Running } from '../running.ts';
import { hasRestorePoints } from '../services/data-dir.ts';
import { type Note, upgradeNotes } from './upgrade-notes.ts';
import type { Command } from './command.ts';

export const upgradeCommand: Command = {
  name: 'upgrade',
  summary: texts.summary,
  usage: '[--check] [--json]',
  options: { check: { type: 'boolean', help: texts.check } },
  examples: ['npx culprit@latest upgrade --check', 'culprit upgrade --check --data-dir /var/lib/culprit --json'],
  async run({ config, flag, print }) {
    const found = await check(config);
    const steps = flag('check') ? undefined : stepsOfInstall();
    print({ ...found.data, ...(steps && { steps }) }, [
      ...(steps ? [texts.steps.title, ...steps.map((step) => `  ${step}`), ''] : []),
      ...found.lines,
    ]);
    return found.isPossible ? 0 : 1;
  },
};

interface Found {
  readonly data: object;
  readonly lines: readonly string[];
  readonly isPossible: boolean;
}

async function check(config: Config): Promise<Found> {
  const { dataDir } = config;
  const [before, points] = [await readWrittenBy(dataDir), await pointsOf(config)];
  const data = { version, dataDir, before: before?.version ?? null, restorePoints: points.data };
  const say = (line: string, isPossible = true): Found => ({ data, lines: [line, ...points.lines], isPossible });
  if (await isReturning(dataDir)) return say(texts.interrupted, false);
  if (!before) return say(texts.newDir(dataDir));
  if (!isKnown(before)) return say(texts.newer(before.version, version), false);
  if (isSame(before, thisProgram)) return say(texts.current(version));

  const server = await runningServer(dataDir);
  const plan = await planOf(dataDir, before, server);
  const { bavail, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  const notes = upgradeNotes((await readChangelog()) ?? '', before.version);
  const isPossible = freeBytes >= plan.neededBytes;
  return {
    data: { ...data, server: server?.pid ?? null, plan, freeBytes, notes },
    lines: [
      ...describe(before, plan, server),
      ...describePoint(config, plan, freeBytes),
      texts.disk(freeBytes, plan.neededBytes),
      ...(isPossible ? [] : [texts.tooSmall]),
      ...describeNotes(notes),
      ...points.lines,
    ],
    isPossible,
  };
}

async function planOf(dataDir: string, before: WrittenBy, server: Running | undefined): Promise<Plan> {
  if (!server) return planUpgrade(dataDir, before);
  await using events = connectEvents(server.events);
  return planUpgrade(dataDir, before, events);
}

/** Undefined where it is gone and has left its note. */
async function runningServer(dataDir: string): Promise<Running | undefined> {
  const running = await readRunning(dataDir);
  const answer = running && (await fetch(`${running.listening}/readyz`).catch(() => undefined));
  await answer?.body?.cancel();
  return answer?.ok ? running : undefined;
}

function describe(before: WrittenBy, plan: Plan, server: Running | undefined): string[] {
  const { state, events, seconds, carry, index } = plan;
  return [
    texts.from(before.version, version),
    ...(server ? [texts.running(server.pid)] : []),
    texts.state(state.pending, state.bytes),
    events.pending ? texts.events(events.pending, events.bytes) : texts.eventsUnknown(events.bytes),
    texts.takes(seconds),
    ...(carry || index ? [texts.background] : []),
    ...(carry ? [texts.carry(carry.bytes, carry.seconds)] : []),
    ...(index ? [texts.index(index.bytes, index.seconds)] : []),
  ];
}

function describePoint(config: Config, { point, neededBytes }: Plan, freeBytes: number): string[] {
  const { restorePointDays, restorePointMaxBytes, stateUrl, eventsUrl } = config;
  if (stateUrl || eventsUrl) return [texts.pointRemote];
  if (!hasRestorePoints(config)) return [texts.pointOff];
  if (freeBytes < neededBytes) return [texts.pointNoRoom(neededBytes)];
  return [
    texts.point(point.files, point.linkedBytes, point.copiedBytes),
    texts.pointDays(restorePointDays, restorePointMaxBytes),
  ];
}

function describeNotes(notes: readonly Note[]): string[] {
  if (notes.length === 0) return [texts.noNotes];
  return notes.flatMap((note) => [texts.notes(note.version), ...note.lines.map((line) => `  ${line}`)]);
}

/** Those that are there. */
async function pointsOf(config: Config) {
  const points = await Promise.all(
    (await listPoints(config.dataDir)).map(async (point) => ({
      version: point.from.version,
      at: point.at,
      until: endsAt(point, config.restorePointDays),
      bytes: await ownBytes(config.dataDir, point),
    })),
  );
  const lines = points.map(({ version, at, until, bytes }) => texts.keptPoint(version, at, until, bytes));
  return { data: points, lines: lines.length ? [texts.kept, ...lines] : [] };
}

/** It lies beside the server; a package may come without it. */
function readChangelog(): Promise<string | undefined> {
  return readFile(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8').catch(ignoreMissing);
}

function stepsOfInstall(): readonly string[] {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  return existsSync(`${root}.git`) ? texts.steps.checkout : texts.steps.npm;
}
