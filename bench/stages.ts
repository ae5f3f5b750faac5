/**
 * What computing a batch costs an event, and which stage how much of it, beside a floor: parsing and writing the same
 * payloads as JSON. In a thread with the pipeline's young generation, which decides how often garbage is collected.
 */
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { computeRecords, createBodies, payloadOf, recordsOf } from './computing.ts';
import { createReport, finding, type Report } from './report.ts';
import { computingStage, stageSamples } from './stage-names.ts';

interface StagesOptions {
  readonly events: number;
  readonly rounds: number;
  readonly progress: (line: string) => void;
}

/** µs an event, a sample a round. */
interface Measured {
  readonly compute: readonly number[];
  /** With the helpers of the garbage collector. */
  readonly process: readonly number[];
  readonly floor: readonly number[];
  readonly stages: Readonly<Record<string, readonly number[]>>;
}

/** As `pipeline/thread.ts` starts its threads. */
const youngGenerationMb = 16;
const samplingUs = 200;
/** Rounds of warming up take as long as each other in the end: by that part, or so many are enough. */
const settledPart = 0.05;
const mostWarmUps = 10;

export async function measureStages({ events, rounds, progress }: StagesOptions): Promise<Measured> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { events, rounds } satisfies Work,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  });
  return new Promise<Measured>((resolve, reject) => {
    thread.on('message', (message: string | Measured) => {
      if (typeof message === 'string') progress(message);
      else resolve(message);
    });
    thread.on('error', reject);
  });
}

export async function runStages({ events, rounds, progress }: StagesOptions): Promise<Report> {
  const measured = await measureStages({ events, rounds, progress });
  const stages = Object.entries(measured.stages).map(([name, samples]) => finding(name, 'µs', samples));
  return createReport(
    'stages',
    { events, rounds },
    [
      finding('computing an event, time of the thread', 'µs', measured.compute),
      finding('… with the helpers of the garbage collector', 'µs', measured.process),
      finding('floor: its payload parsed and written', 'µs', measured.floor),
      ...stages.sort((a, b) => b.median - a.median),
    ],
    ['Stages: their own code and what the engine does for it, as shares of samples of further rounds.'],
  );
}

type Work = Pick<StagesOptions, 'events' | 'rounds'>;

const report = (found: string | Measured): void => parentPort?.postMessage(found, []);

async function measure({ events, rounds }: Work): Promise<Measured> {
  const bodies = createBodies(events);
  const batches = recordsOf(bodies);
  const payloads = bodies.map(payloadOf);
  const compute: number[] = [];
  const whole: number[] = [];
  const floor: number[] = [];
  const stages: Record<string, number[]> = {};
  for (let before = Infinity, warmUp = 0; warmUp < mostWarmUps; warmUp++) {
    const took = cpuUs(() => computeRecords(batches));
    if (Math.abs(took / before - 1) < settledPart) break;
    before = took;
  }
  for (let round = 1; round <= rounds; round++) {
    const before = process.cpuUsage();
    const threadUs = cpuUs(() => computeRecords(batches));
    const { user, system } = process.cpuUsage(before);
    const floorUs = cpuUs(() => {
      for (const payload of payloads) if (JSON.stringify(JSON.parse(payload)) === '') throw new Error('nothing');
    });
    const found = stageSamples(await profiled(() => computeRecords(batches)), computingStage);
    const sampled = [...found.values()].reduce((sum, count) => sum + count, 0);
    report(`round ${round} of ${rounds}`);
    compute.push(threadUs / events);
    whole.push((user + system) / events);
    floor.push(floorUs / events);
    for (const [stage, count] of found) (stages[stage] ??= []).push(((count / sampled) * threadUs) / events);
  }
  return { compute, process: whole, floor, stages };
}

function cpuUs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

async function profiled(work: () => void): Promise<Profiler.Profile> {
  using session = { inspector: new Session(), [Symbol.dispose]: () => session.inspector.disconnect() };
  const { inspector } = session;
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.setSamplingInterval', { interval: samplingUs });
  await inspector.post('Profiler.start');
  work();
  return (await inspector.post('Profiler.stop')).profile;
}

if (!isMainThread) report(await measure(workerData as Work));
