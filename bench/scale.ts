/**
 * `scale`: one to three processing nodes on shared stores, all on this machine, beside the embedded form. Where cores are
 * fewer than nodes, more nodes can store no more: then what counts is that they cost nothing.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { budgets } from './budgets.ts';
import { runLoad } from './child.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { initCulprit, startCulprit } from './culprit.ts';
import type { Engine } from './engine.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import { isOnDisk } from './machine.ts';
import { memorySize, processTree, processUse } from './processes.ts';
import { createReport, finding, type Finding, type Report } from './report.ts';
import { type ScaledCulprit, startScaled, type Store, stores } from './scale-cluster.ts';
import { measureOthers, sampleEvery, waitForCalm } from './usage.ts';

export interface ScaleOptions {
  /** A turn. */
  readonly events: number;
  readonly rounds: number;
  readonly connections: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

type Part = 'intake' | 'processing nodes' | 'server' | Store;

interface Turn {
  readonly storedPerSecond: number;
  /** ms for an event. */
  readonly cpu: ReadonlyMap<Part, number>;
  readonly others: number;
  /** Of the largest node that processes. */
  readonly dirtyMb: number;
}

interface ScaledTurn extends Turn {
  /** For an event. */
  readonly natsIn: number;
  readonly natsOut: number;
  readonly s3PutBytes: number;
  /** For 1,000 events. */
  readonly s3Requests: number;
}

const warmUpEvents = 1_000;
const pollMs = 100;
const stalledMs = 60_000;
const nodeCounts = [1, 2, 3] as const;

export async function runScale(options: ScaleOptions): Promise<Report> {
  const { events, rounds, connections, progress } = options;
  const dir = makeTempDir(options.dir);
  // Stores lie there, too, and go with it. PostgreSQL may run as somebody else.
  chmodSync(dir, 0o711);
  process.env.TMPDIR = dir;
  const notes = isOnDisk(dir) ? [] : ['Measured in memory, not on a disk: the rates mean little.'];
  let seed = 0;
  const corpora = { warmUp: join(dir, 'warm-up'), corpus: join(dir, 'corpus') };
  const write = (): void => {
    for (const [path, count] of [
      [corpora.warmUp, warmUpEvents],
      [corpora.corpus, events],
    ] as const)
      writeCorpusFile(path, createCorpus({ seed: ++seed, count, encoding: 'identity', nowMs: Date.now() }));
  };
  const dataDir = join(dir, 'data');
  const account = await initCulprit(dataDir);
  await using scaled = await startScaled();
  const embedded: Turn[] = [];
  const turns = new Map<number, ScaledTurn[]>(nodeCounts.map((nodes) => [nodes, []]));
  let sent = 0;
  let ofEmbedded = { stored: 0, different: 0 };
  for (let round = 1; round <= rounds; round++) {
    await waitForCalm();
    write();
    const culprit = await startCulprit(dataDir);
    const { server, engine } = culprit.tree();
    const one = await turnOf({
      ...corpora,
      connections,
      target: targetOf(culprit, account, kinds.errors),
      engine: culprit.engine,
      pids: () =>
        new Map<Part, readonly number[]>([
          ['server', server],
          ['engine', engine],
        ]),
      nodes: [culprit.pid],
    });
    progress(`round ${round}, embedded: ${Math.round(one.storedPerSecond)}/s`);
    embedded.push(one);
    ofEmbedded = await count(culprit.engine);
    await culprit.stop();
    for (const nodes of nodeCounts) {
      write();
      const turn = await scaledTurn(scaled, nodes, { ...corpora, connections, events });
      progress(`round ${round}, ${nodes} processing: ${Math.round(turn.storedPerSecond)}/s`);
      turns.get(nodes)?.push(turn);
    }
    sent += events + warmUpEvents;
  }
  const ofScaled = await count(scaled.engine.rows);
  removeTempDir(dir);
  const all = [...turns.values()].flat();
  const single = turns.get(1) ?? [];
  const besides = (what: string, of: (turn: Turn) => number): Finding[] => {
    const ratio = (name: string, turns: readonly Turn[], others: readonly Turn[], otherName: string): Finding =>
      finding(
        `${what}, ${name}, of ${otherName}`,
        '×',
        turns.map((turn, index) => of(turn) / of(others[index]!)),
      );
    return [
      ratio('1 processing', single, embedded, 'embedded'),
      ...[2, 3].map((nodes) => ratio(`${nodes} processing`, turns.get(nodes) ?? [], single, '1 processing')),
    ];
  };
  return createReport(
    'scale',
    { events, rounds, connections },
    [
      ...formFindings('embedded', embedded),
      ...[...turns].flatMap(([nodes, found]) => formFindings(`${nodes} processing`, found)),
      ...besides('stored', ({ storedPerSecond }) => storedPerSecond),
      ...besides('processor time per event', ({ cpu }) => total(cpu)),
      ...(
        [
          ['bytes into NATS per event', 'bytes', 'natsIn'],
          ['bytes out of NATS per event', 'bytes', 'natsOut'],
          ['bytes into S3 per event', 'bytes', 's3PutBytes'],
          ['requests to S3 per 1,000 events', 'requests', 's3Requests'],
        ] as const
      ).map(([name, unit, of]) =>
        finding(
          name,
          unit,
          all.map((turn) => turn[of]),
        ),
      ),
      finding(
        'lost',
        'events',
        sent * (1 + nodeCounts.length) - ofEmbedded.different - ofScaled.different,
        budgets.lost,
      ),
      finding(
        'stored twice',
        'events',
        ofEmbedded.stored + ofScaled.stored - ofEmbedded.different - ofScaled.different,
        budgets.lost,
      ),
      finding(
        'cores busy with something else',
        '',
        [...embedded, ...all].map(({ others }) => others),
      ),
    ],
    [
      ...notes,
      'All nodes and stores run on this machine: one intake node, PostgreSQL (without fsync, behind a proxy), NATS of one server, S3 of one process behind a proxy, the engine over HTTP. Processor time is that of all of them but the proxies.',
    ],
  );
}

const total = (cpu: Turn['cpu']): number => [...cpu.values()].reduce((sum, each) => sum + each, 0);

function formFindings(form: string, turns: readonly Turn[]): Finding[] {
  const parts = [...new Set(turns.flatMap(({ cpu }) => [...cpu.keys()]))];
  return [
    finding(
      `stored, ${form}`,
      'events/s',
      turns.map(({ storedPerSecond }) => storedPerSecond),
    ),
    finding(
      `processor time per event, ${form}`,
      'ms',
      turns.map(({ cpu }) => total(cpu)),
    ),
    ...parts.map((part) =>
      finding(
        `… of ${part}, ${form}`,
        'ms',
        turns.map(({ cpu }) => cpu.get(part) ?? 0),
      ),
    ),
    finding(
      `memory (private dirty) of a node, under load, ${form}`,
      'MB',
      turns.map(({ dirtyMb }) => dirtyMb),
    ),
  ];
}

interface TurnOptions {
  readonly warmUp: string;
  readonly corpus: string;
  readonly connections: number;
  readonly target: { readonly url: string; readonly key: string };
  readonly engine: Engine['rows'];
  /** As they are now: PostgreSQL has one for each connection. */
  readonly pids: () => ReadonlyMap<Part, readonly number[]>;
  /** Those that process. */
  readonly nodes: readonly number[];
  /** Between what warms up and what is measured. */
  readonly onWarm?: () => Promise<void>;
}

async function turnOf({ engine, target, nodes, pids, onWarm, ...options }: TurnOptions): Promise<Turn> {
  const send = async (corpus: string) => {
    const before = (await count(engine)).stored;
    const { connections } = options;
    const load = await runLoad({ ...target, corpus, connections, encoding: 'identity' });
    const accepted = load.statuses['200'] ?? 0;
    const atMs = await storedFrom(engine, before + accepted);
    return { accepted, seconds: (atMs - load.startedAtMs) / 1000 };
  };
  await send(options.warmUp);
  await onWarm?.();
  let dirtyMb = 0;
  const memory = sampleEvery(500, () => {
    for (const node of nodes) {
      const bytes = processTree(node).reduce((sum, pid) => sum + memorySize(pid).dirtyBytes, 0);
      dirtyMb = Math.max(dirtyMb, bytes / 2 ** 20);
    }
  });
  const others = measureOthers();
  const used = (): Map<Part, number> => new Map([...pids()].map(([part, each]) => [part, secondsOf(each)]));
  const before = used();
  const { accepted, seconds } = await send(options.corpus);
  const cpu = new Map(
    [...used()].map(([part, after]) => [part, ((after - (before.get(part) ?? 0)) * 1000) / accepted]),
  );
  const busy = others();
  await memory.stop();
  return { storedPerSecond: accepted / seconds, cpu, others: busy, dirtyMb };
}

async function scaledTurn(
  scaled: ScaledCulprit,
  nodes: number,
  options: Pick<TurnOptions, 'warmUp' | 'corpus' | 'connections'> & { readonly events: number },
): Promise<ScaledTurn> {
  const { engine, target, intake } = scaled;
  const running = await Promise.all(Array.from({ length: nodes }, () => scaled.start()));
  const processing = running.map(({ pid }) => pid);
  let nats = await scaled.throughNats();
  let s3 = scaled.toS3();
  const turn = await turnOf({
    ...options,
    target,
    engine: engine.rows,
    pids: () =>
      new Map<Part, readonly number[]>([
        ['intake', processTree(intake.pid)],
        ['processing nodes', processing.flatMap(processTree)],
        ...stores.map((store) => [store, scaled.pids(store)] as const),
      ]),
    nodes: processing,
    async onWarm() {
      nats = await scaled.throughNats();
      s3 = scaled.toS3();
    },
  });
  const { inBytes, outBytes } = await scaled.throughNats();
  const { putBytes, requests } = scaled.toS3();
  await Promise.all(running.map((node) => node.stop()));
  return {
    ...turn,
    natsIn: (inBytes - nats.inBytes) / options.events,
    natsOut: (outBytes - nats.outBytes) / options.events,
    s3PutBytes: (putBytes - s3.putBytes) / options.events,
    s3Requests: ((requests - s3.requests) * 1000) / options.events,
  };
}

const secondsOf = (pids: readonly number[]): number =>
  pids.map(processUse).reduce((sum, { cpuSeconds, endedSeconds }) => sum + cpuSeconds + endedSeconds, 0);

async function count(engine: Engine['rows']): Promise<{ stored: number; different: number }> {
  const [row] = await engine<{ stored: number; different: number }>(kinds.errors.storedSql);
  return row ?? { stored: 0, different: 0 };
}

/** Waits until so many are stored. Resolves to the time, ms since the epoch; throws where nothing goes on. */
async function storedFrom(engine: Engine['rows'], expected: number): Promise<number> {
  let known = -1;
  for (let since = Date.now(); Date.now() - since < stalledMs;) {
    const [row] = await engine<{ stored: number }>('SELECT count() AS stored FROM errors');
    const stored = row?.stored ?? 0;
    if (stored >= expected) return Date.now();
    if (stored !== known) since = Date.now();
    known = stored;
    await delay(pollMs);
  }
  throw new Error(`${known} of ${expected} events were stored, and nothing goes on`);
}
