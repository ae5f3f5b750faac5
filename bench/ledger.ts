/**
 * `ledger`: what an event and a call of the API cost, by stage, in µs of processor time, with the floors of the same run.
 * The whole program first, under its own profiler; then its stages each by itself, which repeats better.
 */
import { join } from 'node:path';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { initCulprit, startCulprit } from './culprit.ts';
import { inspected, openInspector } from './inspector.ts';
import { measureApi } from './ledger-api.ts';
import { measureEngine } from './ledger-engine.ts';
import { floorOf, type Line, type Measurement, type Part, parts } from './ledger-lines.ts';
import { measureKinds, performanceWait } from './ledger-kinds.ts';
import { measureServer } from './ledger-server.ts';
import { createReport, type Finding, finding, type Report } from './report.ts';
import { measureStages } from './stages.ts';
import { spread } from './statistics.ts';
import { measureOthers } from './usage.ts';

export interface LedgerSize {
  /** Of a round, for the whole program and for computing alone. */
  readonly events: number;
  readonly computed: number;
  readonly calls: number;
  readonly rounds: number;
  /** What each view adds; takes three times as long as all together. */
  readonly eachView: boolean;
  /** What else is sent; takes a minute or two. */
  readonly otherKinds: boolean;
}

export interface LedgerOptions extends LedgerSize {
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

export async function measureLedger({ progress, ...options }: LedgerOptions): Promise<Measurement> {
  const started = performance.now();
  const others = measureOthers();
  const dir = makeTempDir(options.dir);
  const dataDir = join(dir, 'data');
  const sizes = { ...options, dir, progress };
  const account = await initCulprit(dataDir);
  const culprit = await startCulprit(dataDir, { ...inspected, ...performanceWait });
  const inspector = await openInspector(dataDir);
  const server = await measureServer({ culprit, account, inspector }, sizes);
  const api = await measureApi({ culprit, account, inspector }, sizes);
  const kinds = options.otherKinds ? await measureKinds({ culprit, account, inspector }, sizes) : [];
  inspector.close();
  await culprit.stop();
  const engine = await measureEngine(dataDir, sizes);
  removeTempDir(dir);
  const stages = await measureStages({ ...options, events: options.computed, progress });
  const least = (values: readonly number[]): number => spread(values).least;
  const computing = Object.entries(stages.stages)
    .map(([name, values]): Line => ({ part: 'computing', name, us: least(values) }))
    .sort((a, b) => b.us - a.us);
  return {
    lines: [...server.lines, ...computing, ...engine.lines, ...api, ...kinds],
    floors: { server: server.floorUs, parsing: least(stages.floor), hashing: engine.floorUs },
    others: others(),
    seconds: (performance.now() - started) / 1000,
  };
}

const titles: Readonly<Record<Part, string>> = {
  pipeline: 'whole program, an event',
  computing: 'computing alone, an event',
  engine: 'engine alone, an event',
  views: 'engine alone, an event, of it the view',
  api: 'call, main thread',
  statements: 'call, statement in the engine',
  kinds: 'whole program, one of',
};

export async function runLedger(options: LedgerOptions): Promise<Report> {
  const { lines, floors, others } = await measureLedger(options);
  const { events, calls, rounds } = options;
  const found = parts.flatMap((part): Finding[] => {
    const own = lines.filter((line) => line.part === part);
    const total = own.reduce((sum, { us }) => sum + us, 0);
    const isOneThing = part === 'pipeline' || part === 'computing';
    return [
      ...(isOneThing ? [finding(`${titles[part]}: all`, 'µs', total), times(part, total, floors[floorOf[part]])] : []),
      ...own.map(({ name, us }) => finding(`${titles[part]}: ${name}`, 'µs', us)),
    ];
  });
  return createReport(
    'ledger',
    { events, calls, rounds },
    [
      finding('floor: HTTP, JSON and LMDB, an event', 'µs', floors.server),
      finding('floor: its payload parsed and written', 'µs', floors.parsing),
      finding('floor: hashing 20,000 numbers in the engine', 'µs', floors.hashing),
      ...found,
      finding('cores busy with something else', '', others),
    ],
    [
      'Least of the rounds. Stages are shares of samples of a thread, in the processor time that it took. The whole program runs under its profiler, which costs it a few percent. A view: what the insert takes less without it.',
    ],
  );
}

const times = (part: Part, total: number, floor: number): Finding =>
  finding(`… of the floor’s (${floorOf[part]})`, '×', total / floor);
