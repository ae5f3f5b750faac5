/**
 * `ingest`: how much Culprit takes in, measured against the floor in turns on the same machine. Accepted is what was
 * answered with 200; drained is stored, grouped and found by queries. Whoever is not measured does not run.
 */
import { join, resolve } from 'node:path';
import { budgets } from './budgets.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import type { CorpusEnvelope, Encoding } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { type Account, initCulprit, startCulprit } from './culprit.ts';
import { type Kind, type KindName, kinds } from './ingest-kinds.ts';
import { besideMirror, type MirroredTurn, mirroredTurn } from './ingest-mirror.ts';
import { besideEngine, examineStore, packIndex, packPayloads, type Stored } from './ingest-store.ts';
import {
  type CulpritTurn,
  culpritTurn,
  type FloorTurn,
  floorTurn,
  type StoredFloorTurn,
  storedFloorTurn,
} from './ingest-turns.ts';
import type { LoadResult } from './load.ts';
import { isOnDisk } from './machine.ts';
import { atMost, type Budget, createReport, finding, type Finding, type Report } from './report.ts';
import type { CpuUse } from './usage.ts';

export interface IngestOptions {
  readonly kind: KindName;
  /** Envelopes a round. */
  readonly envelopes: number;
  readonly rounds: number;
  readonly connections: readonly number[];
  readonly encoding: Encoding;
  /** Where the stores lie; the system's directory for temporary files unless told. */
  readonly dir?: string;
  /** Where the server writes processor profiles; slows it down a little. */
  readonly profile?: string;
  /** Measures each round also with a mirror of the project. */
  readonly mirror?: boolean;
  readonly progress: (line: string) => void;
}

const warmUpEnvelopes = 1000;

function profiling(dir: string | undefined): Readonly<Record<string, string>> {
  return dir === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(dir)}` };
}

export async function runIngest(options: IngestOptions): Promise<Report> {
  const { envelopes, rounds, encoding, progress } = options;
  const kind: Kind = kinds[options.kind];
  const make = (seed: number, count: number): Iterable<CorpusEnvelope> =>
    kind.envelopes({ seed, count, encoding, nowMs: Date.now() });
  const dir = makeTempDir(options.dir);
  const dataDir = join(dir, 'data');
  const notes: string[] = [];
  if (!isOnDisk(dir)) notes.push('Measured in memory, not on a disk: the rates mean little.');
  const corpus = join(dir, 'corpus');
  const warmUp = join(dir, 'warm-up');

  const findings: Finding[] = [];
  const turns: CulpritTurn[] = [];
  const floors: FloorTurn[] = [];
  const storedFloors: StoredFloorTurn[] = [];
  const mirrored: MirroredTurn[] = [];
  let account: Account | undefined;
  let emptyBytes = 0;
  let meanBytes = 0;
  let meanSentBytes = 0;
  let seed = 1;
  for (const connections of options.connections) {
    const ours: CulpritTurn[] = [];
    const theirs: FloorTurn[] = [];
    for (let round = 1; round <= rounds; round++) {
      // Each is sent to Culprit once, so that each must be stored once.
      writeCorpusFile(warmUp, make(seed++, warmUpEnvelopes));
      const made = writeCorpusFile(corpus, make(seed++, envelopes));
      ({ meanBytes, meanSentBytes } = made);
      const turn = { kind, warmUp, corpus, connections, encoding };
      const floor = await floorTurn(join(dir, 'floor'), turn);
      progress(`${connections} connections, round ${round}: the floor took ${Math.round(floor.perSecond)}/s`);
      if (options.kind === 'errors') {
        const least = await storedFloorTurn(join(dir, 'stored-floor'), turn);
        progress(
          `${connections} connections, round ${round}: the stored floor drained ${Math.round(least.drainedPerSecond)}/s`,
        );
        storedFloors.push(least);
      }
      const culprit = await startCulprit(dataDir, profiling(options.profile));
      if (!account) {
        account = await initCulprit(dataDir);
        emptyBytes = besideEngine(dataDir);
      }
      const own = await culpritTurn(culprit, account, turn);
      progress(
        `${connections} connections, round ${round}: Culprit accepted ${Math.round(own.acceptedPerSecond)}/s, drained ${Math.round(own.drainedPerSecond)}/s`,
      );
      await culprit.stop();
      theirs.push(floor);
      ours.push(own);
      if (options.mirror) {
        writeCorpusFile(warmUp, make(seed++, warmUpEnvelopes));
        writeCorpusFile(corpus, make(seed++, envelopes));
        mirrored.push(await mirroredTurn(dataDir, account, turn, profiling(options.profile)));
      }
    }
    findings.push(...rates(kind, connections, theirs, ours));
    floors.push(...theirs);
    turns.push(...ours);
  }
  if (!account) throw new Error('no round was run');

  progress('merging the store');
  const unpackedBytes = await packPayloads(dataDir);
  const looseBytes = kind.unit === 'event' ? await packIndex(dataDir) : 0;
  const culprit = await startCulprit(dataDir);
  const examined = await examineStore(culprit, account, dataDir, kind);
  const store = {
    ...examined,
    bytes: examined.bytes - looseBytes - emptyBytes,
    emptyBytes,
    unpackedBytes: unpackedBytes + looseBytes,
  };
  await culprit.stop();
  const accepted = [...turns, ...mirrored].reduce((sum, turn) => sum + turn.accepted + turn.warmUp, 0);
  findings.push(
    ...costs(kind, turns, floors),
    ...besideStoredFloor(turns, floors, storedFloors),
    ...besideMirror(kind.unit, turns, mirrored),
    ...keeping(kind, accepted, store),
  );
  notes.push(
    `Envelopes: ${Math.round(meanBytes)} bytes on average, ${Math.round(meanSentBytes)} as sent (${encoding}). ${store.groups} groups. Outcomes: ${store.outcomes}.`,
    `Answers: ${statusesOf(turns.map((turn) => turn.load))} from Culprit, ${statusesOf(floors.map((turn) => turn.load))} from the floor.`,
    `Threads of the server, ms per ${kind.unit}: ${threadsOf(turns, (cpu) => cpu.serverThreads)}.`,
    `Threads of the engine, ms per ${kind.unit}: ${threadsOf(turns, (cpu) => cpu.engineThreads)}.`,
  );
  removeTempDir(dir);
  return createReport(
    'ingest',
    { kind: options.kind, envelopes, [`${kind.unit}s each`]: kind.each, rounds, encoding },
    findings,
    notes,
  );
}

/** Budgets are for errors, some for spans. */
const ofErrors = ({ unit }: Kind, budget: Budget, ofSpans?: Budget): Budget | undefined =>
  unit === 'event' ? budget : unit === 'span' ? ofSpans : undefined;

function rates(
  kind: Kind,
  connections: number,
  floors: readonly FloorTurn[],
  turns: readonly CulpritTurn[],
): Finding[] {
  const label = (what: string): string => `${what}, ${connections} connections`;
  const ratio = (of: (turn: CulpritTurn) => number): number[] =>
    turns.map((turn, index) => of(turn) / (floors[index]?.perSecond ?? Number.NaN));
  return [
    finding(
      label('floor'),
      `${kind.unit}s/s`,
      floors.map((turn) => turn.perSecond),
    ),
    finding(
      label('accepted'),
      `${kind.unit}s/s`,
      turns.map((turn) => turn.acceptedPerSecond),
    ),
    finding(
      label('drained'),
      `${kind.unit}s/s`,
      turns.map((turn) => turn.drainedPerSecond),
    ),
    finding(
      label('accepted of floor'),
      '',
      ratio((turn) => turn.acceptedPerSecond),
      ofErrors(kind, budgets.acceptedOfFloor),
    ),
    finding(
      label('drained of floor'),
      '',
      ratio((turn) => turn.drainedPerSecond),
      ofErrors(kind, budgets.drainedOfFloor, budgets.spansDrainedOfFloor),
    ),
    ...(['p50', 'p95', 'p99'] as const).map((name) =>
      finding(
        label(`ack ${name}`),
        'ms',
        turns.map((turn) => turn.load.ack[name]),
      ),
    ),
    finding(
      label('floor ack p95'),
      'ms',
      floors.map((turn) => turn.load.ack.p95),
    ),
    finding(
      label('stored after the last answer'),
      's',
      turns.map((turn) => turn.restSeconds),
    ),
    finding(
      label('lag, largest'),
      's',
      turns.map((turn) => turn.lagSeconds),
      budgets.lagSeconds,
    ),
    finding(
      label('backlog, largest'),
      'requests',
      turns.map((turn) => turn.backlog),
    ),
  ];
}

function costs(kind: Kind, turns: readonly CulpritTurn[], floors: readonly FloorTurn[]): Finding[] {
  const each = (of: (cpu: CpuUse) => number): number[] => turns.map((turn) => (of(turn.cpu) * 1000) / turn.accepted);
  return [
    finding(
      `processor time per ${kind.unit}`,
      'ms',
      each((cpu) => cpu.serverSeconds + cpu.engineSeconds),
      kind.unit === 'span' ? atMost(budgets.spanUs.value / 1000) : undefined,
    ),
    finding(
      '… of the floor’s',
      '×',
      turns.map(
        ({ cpu, accepted }, index) =>
          ((cpu.serverSeconds + cpu.engineSeconds) * 1000) / accepted / (floors[index]?.cpuMs ?? Number.NaN),
      ),
      ofErrors(kind, budgets.cpuOfFloor),
    ),
    finding(
      '… of the server',
      'ms',
      each((cpu) => cpu.serverSeconds),
    ),
    finding(
      '… of the engine',
      'ms',
      each((cpu) => cpu.engineSeconds),
    ),
    finding(
      '… of the floor',
      'ms',
      floors.map((turn) => turn.cpuMs),
    ),
    finding(
      'memory (private dirty), idle',
      'MB',
      turns.map((turn) => turn.idle.dirtyMb),
      budgets.idleMb,
    ),
    finding(
      'memory (PSS), idle',
      'MB',
      turns.map((turn) => turn.idle.totalMb),
    ),
    finding(
      '… of the server',
      'MB',
      turns.map((turn) => turn.idle.serverMb),
    ),
    finding(
      '… of the engine',
      'MB',
      turns.map((turn) => turn.idle.engineMb),
    ),
    finding(
      'memory (private dirty), under load',
      'MB',
      turns.map((turn) => turn.loaded.dirtyMb),
      budgets.loadedMb,
    ),
    finding(
      'memory (private dirty), 20 s after it, above idle',
      'MB',
      turns.map((turn) => turn.after.dirtyMb - turn.idle.dirtyMb),
      budgets.aboveIdleMb,
    ),
    finding(
      'memory (PSS), under load',
      'MB',
      turns.map((turn) => turn.loaded.totalMb),
    ),
    finding(
      '… of the server',
      'MB',
      turns.map((turn) => turn.loaded.serverMb),
    ),
    finding(
      '… of the engine',
      'MB',
      turns.map((turn) => turn.loaded.engineMb),
    ),
    finding(
      '… of both, mapped files',
      'MB',
      turns.map((turn) => turn.loaded.mappedMb),
    ),
    finding(
      'cores busy with something else',
      '',
      [...floors, ...turns].map((turn) => turn.others),
    ),
    finding(
      'start to ready',
      'ms',
      turns.map((turn) => turn.readyMs),
      budgets.readyMs,
    ),
  ];
}

/** What a program takes that stores the same events and does nothing else for them: `stored-floor.ts` says what it leaves out. */
function besideStoredFloor(
  turns: readonly CulpritTurn[],
  floors: readonly FloorTurn[],
  storedFloors: readonly StoredFloorTurn[],
): Finding[] {
  if (storedFloors.length === 0) return [];
  const ofFloor = (of: (least: StoredFloorTurn, floor: FloorTurn | undefined, turn: CulpritTurn) => number): number[] =>
    turns.flatMap((turn, index) => {
      const least = storedFloors[index];
      return least ? [of(least, floors[index], turn)] : [];
    });
  return [
    finding(
      'stored floor: drained',
      'events/s',
      ofFloor((least) => least.drainedPerSecond),
    ),
    finding(
      'stored floor: drained of floor',
      '',
      ofFloor((least, floor) => least.drainedPerSecond / (floor?.perSecond ?? Number.NaN)),
    ),
    finding(
      'stored floor: processor time per event',
      'ms',
      ofFloor((least) => least.cpuMs),
    ),
    finding(
      '… of the floor’s',
      '×',
      ofFloor((least, floor) => least.cpuMs / (floor?.cpuMs ?? Number.NaN)),
    ),
    finding(
      'processor time per event, of the stored floor’s',
      '×',
      ofFloor(
        (least, _, { cpu, accepted }) => ((cpu.serverSeconds + cpu.engineSeconds) * 1000) / accepted / least.cpuMs,
      ),
    ),
    finding(
      'drained, of the stored floor',
      '',
      ofFloor((least, _, turn) => turn.drainedPerSecond / least.drainedPerSecond),
    ),
  ];
}

function keeping(kind: Kind, accepted: number, store: Stored): Finding[] {
  return [
    finding('lost', `${kind.unit}s`, accepted - store.different, budgets.lost),
    finding('stored twice', `${kind.unit}s`, store.stored - store.different, budgets.lost),
    finding(
      `disk per ${kind.unit}, merged`,
      'bytes',
      store.bytes / store.stored,
      ofErrors(kind, budgets.diskBytesPerEvent, budgets.diskBytesPerSpan),
    ),
    finding('… beside what an empty installation takes', 'MB', store.emptyBytes / 1e6),
    ...(store.unpackedBytes > 0
      ? [
          finding(
            '… before payloads and the event index are packed',
            'bytes',
            (store.bytes + store.unpackedBytes) / store.stored,
          ),
        ]
      : []),
  ];
}

function statusesOf(loads: readonly LoadResult[]): string {
  const counts = new Map<string, number>();
  for (const { statuses } of loads) {
    for (const [status, count] of Object.entries(statuses)) counts.set(status, (counts.get(status) ?? 0) + count);
  }
  return [...counts].map(([status, count]) => `${count} × ${status === '0' ? 'connection broken' : status}`).join(', ');
}

function threadsOf(turns: readonly CulpritTurn[], of: (cpu: CpuUse) => ReadonlyMap<string, number>): string {
  const sums = new Map<string, number>();
  for (const { cpu } of turns) for (const [name, used] of of(cpu)) sums.set(name, (sums.get(name) ?? 0) + used);
  const units = turns.reduce((sum, turn) => sum + turn.accepted, 0);
  return [...sums]
    .filter(([, used]) => (used * 1000) / units >= 0.0005)
    .sort((a, b) => b[1] - a[1])
    .map(([name, used]) => `${name} ${((used * 1000) / units).toFixed(4)}`)
    .join(', ');
}
