/** The ledger's part about the whole program: what its threads and its engine take for an event, in turns with the floor. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runLoad, startFloor } from './child.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { type Account, type Culprit, createApi } from './culprit.ts';
import type { Inspector } from './inspector.ts';
import { countStored, waitUntilStored } from './intake.ts';
import { addSamples, byStage, type Line } from './ledger-lines.ts';
import { asked, collection, intakeStage, others, processingStage, stageSamples } from './stage-names.ts';
import { threadsUs } from './processes.ts';
import { type CpuUse, measureCpu } from './usage.ts';

export interface ServerOptions {
  /** A round. */
  readonly events: number;
  readonly rounds: number;
  readonly dir: string;
  readonly progress: (line: string) => void;
}

export interface Started {
  readonly culprit: Culprit;
  readonly account: Account;
  readonly inspector: Inspector;
}

const connections = 64;
const encoding = 'identity';
const warmUpEvents = 2000;
/** Each look at the gauges costs the thread that is measured. */
const pollMs = 250;

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
const least = (values: readonly number[]): number => Math.min(...values);

export async function measureServer(
  { culprit, account, inspector }: Started,
  { events, rounds, dir, progress }: ServerOptions,
): Promise<{ readonly lines: readonly Line[]; readonly floorUs: number }> {
  const corpus = join(dir, 'corpus');
  const floorDir = join(dir, 'floor');
  mkdirSync(floorDir);
  const floor = await startFloor(floorDir);
  const api = createApi(culprit, account);
  const send = async (): Promise<void> => {
    const before = await countStored(api);
    const url = `${culprit.url}/api/${account.projectId}/envelope/`;
    const { sent } = await runLoad({ corpus, url, key: account.key, connections, encoding });
    const { stored } = await waitUntilStored(api, before + sent, { pollMs });
    if (stored !== before + sent) throw new Error(`${before + sent - stored} of ${sent} events are missing`);
  };
  const sendToFloor = () => runLoad({ corpus, url: floor.url, connections, encoding });

  const floorUs: number[] = [];
  const used: CpuUse[] = [];
  const samples = { main: new Map<string, number>(), processing: new Map<string, number>() };
  for (let round = 0; round <= rounds; round++) {
    const count = round === 0 ? warmUpEvents : events;
    writeCorpusFile(corpus, createCorpus({ seed: round + 1, count, encoding, nowMs: Date.now() }));
    const floorBefore = threadsUs(floor.pid);
    await sendToFloor();
    const floorCost = threadsUs(floor.pid) - floorBefore;
    if (round === 0) {
      await send();
      continue;
    }
    const cpu = measureCpu(culprit);
    const { main, processing } = await inspector.profile(send);
    floorUs.push(floorCost / count);
    used.push(cpu());
    addSamples(samples.main, stageSamples(main, intakeStage));
    addSamples(samples.processing, stageSamples(processing, processingStage));
    progress(`round ${round} of ${rounds}: the floor took ${Math.round(floorUs.at(-1) ?? 0)} µs an event`);
  }
  api.close();
  await floor.stop();
  return { floorUs: least(floorUs), lines: linesOf(used, samples, events) };
}

const namesOfMain: Readonly<Record<string, string>> = { [others]: 'HTTP and sockets', [collection]: 'collection' };
const namesOfProcessing: Readonly<Record<string, string>> = {
  [others]: 'waiting, sockets, files',
  [collection]: 'collection',
};

function linesOf(
  used: readonly CpuUse[],
  samples: Readonly<Record<'main' | 'processing', ReadonlyMap<string, number>>>,
  events: number,
): Line[] {
  const of = (thread: (cpu: CpuUse) => number | undefined): number =>
    (least(used.map((cpu) => thread(cpu) ?? 0)) * 1e6) / events;
  const line = (name: string, us: number): Line => ({ part: 'pipeline', name, us });
  const stages = (
    of: string,
    names: Readonly<Record<string, string>>,
    from: ReadonlyMap<string, number>,
    us: number,
  ): Line[] =>
    [...byStage(from, us)]
      .filter(([stage]) => stage !== asked)
      .map(([stage, part]) => line(`${of}: ${names[stage] ?? stage}`, part));
  return [
    ...stages(
      'main thread',
      namesOfMain,
      samples.main,
      of((cpu) => cpu.serverThreads.get('main')),
    ),
    ...stages(
      'processing thread',
      namesOfProcessing,
      samples.processing,
      of((cpu) => cpu.serverThreads.get('processing')),
    ),
    line(
      'collection, helper threads',
      of((cpu) => cpu.serverThreads.get('V8Worker')),
    ),
    line(
      'log and files, helper threads',
      of((cpu) => cpu.serverThreads.get('libuv-worker')),
    ),
    line(
      'engine: rows and views',
      of((cpu) => sum(cpu.engineThreads.values()) - (cpu.engineThreads.get('MergeMutate') ?? 0)),
    ),
    line(
      'engine: merges',
      of((cpu) => cpu.engineThreads.get('MergeMutate')),
    ),
  ];
}
