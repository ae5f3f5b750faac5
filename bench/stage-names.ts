/** From a profile to what each stage has of it: a sample counts for the nearest caller whose file belongs to a stage. */
import type { Profiler } from 'node:inspector';

type CallFrame = Profiler.Profile['nodes'][number]['callFrame'];
/** Files and their stages; of those that fit, the first holds. */
type Stages = readonly (readonly [file: RegExp, stage: string])[];
export type StageOf = (frame: CallFrame) => string | undefined;

export const collection = 'garbage collector';
/** What no stage has asked for: the engine itself, sockets, streams. */
export const others = 'other';

/** Samples by stage; idle ones are left out. They are counted, not timed: a thread that has to wait for a core is not at work. */
export function stageSamples({ nodes, samples = [] }: Profiler.Profile, stageOf: StageOf): Map<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const known = new Map<number, string>();
  const stage = (id: number): string => {
    let name = known.get(id);
    if (name === undefined) {
      const frame = byId.get(id);
      const parent = parents.get(id);
      name = (frame && ownStage(frame, stageOf)) ?? (parent === undefined ? others : stage(parent));
      known.set(id, name);
    }
    return name;
  };
  const counts = new Map<string, number>();
  for (const id of samples) {
    const name = stage(id);
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function ownStage(frame: CallFrame, stageOf: StageOf): string | undefined {
  if (frame.functionName === '(garbage collector)') return collection;
  return frame.functionName === '(idle)' ? '' : stageOf(frame);
}

/** Each step of computing a batch. */
export function computingStage({ url }: CallFrame): string | undefined {
  const step = /\/process\/steps\/(?!json|limits|remarks|event\b)([\w-]+)/.exec(url)?.[1];
  if (step !== undefined) return `step ${step}`;
  const item = /\/process\/items\/([\w-]+)\/([\w-]+)/.exec(url);
  if (item) return `item ${item[1]}, ${item[2]}`;
  if (url.includes('/ports/events/blocks/')) return 'encoding the row';
  if (url.includes('/packages/envelope/')) return 'envelope';
  if (/\/pipeline\/(?:compute|computed|keep|decompress)\.ts$/.test(url)) return 'collecting';
  return undefined;
}

const among =
  (stages: Stages): StageOf =>
  ({ url }) =>
    stages.find(([file]) => file.test(url))?.[1];

/** What asks for the program's gauges is the benchmark itself. */
export const asked = 'gauges';
const gauges = [/\/server\/src\/web\/|\/prom-client\//, asked] as const;

/** The main thread while envelopes arrive. */
export const intakeStage = among([
  gauges,
  [/\/ports\/queue\/|\/lmdb\//, 'log'],
  [/\/server\/src\/pipeline\//, 'hand-over'],
  [/\/server\/src\/ingest\/|\/packages\/envelope\/|\/domains\/projects\//, 'intake'],
]);

/** The processing thread; the steps of computing are measured by themselves. */
export const processingStage = among([
  [/\/ports\/queue\/|\/base\/secrets\//, 'opening records'],
  [/\/server\/src\/process\/|\/packages\/envelope\/|\/pipeline\/compute\.ts|\/ports\/events\/blocks\//, 'computing'],
  [/\/ports\/events\/|\/pipeline\/insert-lines\.ts|\/@clickhouse\//, 'rows to the engine'],
  [/\/ports\/(?:payloads|event-index)\//, 'payloads'],
  [/\/ports\/state\/|\/server\/src\/domains\/|\/kysely\//, 'issues and releases'],
  [/\/server\/src\/pipeline\//, 'storing'],
]);

/** The main thread while it answers a call of the API. */
export const apiStage = among([
  gauges,
  [/\/ports\/state\/|\/kysely\//, 'state'],
  [/\/ports\/events\/|\/@clickhouse\//, 'asking the engine'],
  [/\/ports\/(?:payloads|event-index)\//, 'payloads'],
  [/\/domains\/accounts\/|\/better-auth\/|\/api\/shared\/access/, 'who asks'],
  [/\/zod\/|type-provider-zod|\/fast-json-stringify\/|\/web\/compress/, 'checking and serialising'],
  [/\/server\/src\/(?:api|domains|base)\//, 'shaping'],
]);
