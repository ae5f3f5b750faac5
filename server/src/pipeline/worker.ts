/**
 * A processing thread. Takes batches from the pipeline, computes their rows and stores them.
 *
 * Computing is synchronous and storing is waiting, so with two batches at hand the thread computes one while the
 * other is being stored. A batch comes in pieces, whose rows are stored together. What the stores cannot take at the
 * moment is tried again until they can.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { setTimeout as delay } from 'node:timers/promises';
import { runInBackground, yielding } from '../base/background-thread.ts';
import { projectsWithArtifacts } from '../domains/artifacts/index.ts';
import { openBlobs } from '../ports/blobs/open.ts';
import { CodedError } from '../base/errors.ts';
import { connectEvents } from '../ports/events/open.ts';
import type { RecordedProject } from '../domains/issues/index.ts';
import { createSampler, noteSuspects } from '../domains/detectors/index.ts';
import { createProjectSettings, noteFirstSpans } from '../domains/projects/index.ts';
import { createBurstRelease, createSteadyTrim, releaseAfterStart, releaseBuffers } from '../base/release-memory.ts';
import { BatchGone, type LogRecord, type Position } from '../ports/queue/log.ts';
import { steadyMs } from '../base/steady.ts';
import { createReader } from '../ports/queue/seal.ts';
import { openState } from '../ports/state/open.ts';
import { addTally, arrivedSpans, type SpanTally } from './arrived-spans.ts';
import { decodeRecords, finishMaybeReported, finishWaiting, type SliceInput, Slices } from './compute.ts';
import type { Computed } from './computed.ts';
import { groupKey } from './keep.ts';
import { type FromWorker, progressSlots, sizeOfRecords, type ToWorker, type WorkerSetup } from './messages.ts';
import { IndexedSlices } from './indexed-slices.ts';
import { Pieces } from './pieces.ts';
import { findReported } from './reported.ts';
import { storeBatch, type Stores } from './store.ts';
import { createSymbolicator } from '../domains/artifacts/symbolicator.ts';
import type { ProjectSettings, Sighted } from '../process/types.ts';

const port = parentPort;
if (!port) throw new Error('the processing thread is started by the pipeline, not by hand');
const setup = workerData as WorkerSetup;
// What is in the log can wait for a moment, those who send events do so already.
runInBackground(yielding);
const progress = new Float64Array(setup.progress);

const state = await openState(setup.state);
const events = connectEvents(setup.events);
const blobs = openBlobs(setup.blobs);
const payloads = events.payloads?.createWriter();
/** Whether nobody else writes to the store, so that what is stored is known here. */
const isOwn = events.address.payloadsDir !== undefined;
const projects = createProjectSettings({ state, pseudonymKey: setup.pseudonymKey });
const symbolicator = createSymbolicator({ state, blobs });
const isSampled = createSampler();
const open = createReader(setup.reader, { inPlace: true });
let stopping = false;
/** One record may come to hundreds of megabytes. The other batch waits then: one such slice is in memory at a time. */
const largeSliceBytes = 32 * 1024 * 1024;
const noMore = (): void => {
  largeStored = undefined;
  hasLeftovers = true;
};
/**
 * Which rows an insert holds follows from the sizes of pieces, slices, blocks and encoded rows. Raised when any of them
 * changes: a batch that an earlier version left half stored is then stored whole, instead of taking other rows for those
 * it has.
 */
const rowsVersion = '/5';
let hasLeftovers = false;
let largeStored: Promise<void> | undefined;
/** Groups that the state store has, with their explanation; forgotten all at once when there are many. */
const explained = new Set<string>();
const maxExplained = 100_000;
/** Issues may be deleted, and their explanations with them. */
const explainedMs = 60_000;
let explainedSince = Date.now();

type SentBatch = Extract<ToWorker, { kind: 'batch' }>;

const send = (message: FromWorker, transfer?: ArrayBuffer[]): void => port.postMessage(message, transfer);

port.on('message', (message: ToWorker) => {
  if (message.kind === 'stop') {
    stopping = true;
  } else if (message.kind === 'settings') {
    projects.invalidate();
  } else if (message.kind === 'piece') {
    const waiting = asked.get(message.from);
    // One that an attempt before this one asked for is not waited for any more.
    if (waiting?.start === message.start) waiting.resolve(message.records);
  } else if (message.kind === 'drop') {
    asked.get(message.from)?.reject(new BatchGone());
  } else {
    void run(message);
  }
});
send({ kind: 'ready' });
releaseAfterStart();
const releaseAfterBurst = createBurstRelease();
const trimSteadily = createSteadyTrim();

/** The piece that each batch waits for, by the batch's first position. */
const asked = new Map<
  Position,
  { start: Position; resolve: (records: readonly LogRecord[]) => void; reject: (reason: BatchGone) => void }
>();

function ask(from: Position, start: Position, buffers: ArrayBuffer[]): Promise<readonly LogRecord[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly LogRecord[]>();
  // It is waited for once what came before is computed.
  promise.catch(() => undefined);
  asked.set(from, { start, resolve, reject });
  send({ kind: 'more', from, start, buffers }, buffers);
  return promise;
}

/** Bytes of entries that are told at once; of a burst the index hears when its batch is done. */
const mostTold = 65_536;

async function run(batch: SentBatch): Promise<void> {
  const pieces = new Pieces(batch, { open, ask: (start, spare) => ask(batch.from, start, spare) });
  const indexed = new IndexedSlices();
  let waitMs = 100;
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      const input = inputOf(batch);
      // Time is read once per delivery: issues made by one batch get one creation time.
      const now = Date.now();
      const recorded: RecordedProject[] = [];
      const digests = new Map<number, Set<string>>();
      const tally: SpanTally = new Map();
      let suspects = 0;
      const batchToken = batch.token + rowsVersion;
      let token = batchToken;
      let number = 0;
      for await (const slice of slicesOf(pieces, input)) {
        const storing = storeSlice(slice, input, token, {
          now,
          onStored: isOwn
            ? (stored) => {
                const isFirst = !isRepeated && !batch.redelivered;
                const entries = indexed.note(stored, isFirst);
                if (isFirst && entries.length && entries.length <= mostTold) send({ kind: 'stored', entries });
              }
            : undefined,
        });
        if (slice.bytes > largeSliceBytes) largeStored = storing.then(noMore, noMore);
        recorded.push(...(await storing));
        indexed.next();
        addTally(tally, slice.spanTally);
        suspects += await note(slice, now);
        if (explained.size > maxExplained || now - explainedSince > explainedMs) {
          explained.clear();
          explainedSince = now;
        }
        for (const event of slice.events) {
          explained.add(groupKey(event));
          if (event.side === 'server' && event.row.digest !== '' && !event.imported) noteDigest(digests, event.row);
        }
        token = `${batchToken}+${++number}`;
      }
      await symbolicator.flush();
      const symbolication = symbolicator.stats();
      const spans = arrivedSpans(tally, await noteFirstSpans(state, tally.keys(), now));
      asked.delete(batch.from);
      const { buffers } = pieces;
      const { entries, hasLost } = indexed;
      const done = {
        kind: 'done',
        from: batch.from,
        to: batch.to,
        unreadable: [...pieces.unreadable],
        // What is stored twice is counted once.
        projects: isRepeated ? recorded.map((project) => ({ ...project, gained: undefined })) : recorded,
        indexed: entries,
        unindexed: hasLost,
        spans,
        suspects,
        digests,
        symbolication,
        buffers,
      } as const;
      send(done, [...buffers, ...entries.map(({ buffer }) => buffer)]);
      releaseAfterBurst(pieces.bytes);
      trimSteadily();
      return;
    } catch (error) {
      if (error instanceof BatchGone) {
        asked.delete(batch.from);
        return;
      }
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      send({ kind: 'retrying', from: batch.from, to: batch.to, message, expected: error instanceof CodedError });
      if (stopping) return;
      indexed.again();
      await delay(waitMs);
      // Each attempt writes the payloads anew: none is made for a store that is not there.
      while (!(await events.ready())) await delay(waitMs);
      waitMs = Math.min(waitMs * 2, 5_000);
    }
  }
}

let lastTurn = Promise.resolve();

/** Whoever computes goes on until there is a slice to be stored, and the next one begins. Resolves to what ends the turn. */
async function takeTurn(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = lastTurn;
  lastTurn = promise;
  await before;
  return resolve;
}

/** Each is stored before the next is asked for. */
async function* slicesOf(pieces: Pieces, input: BatchInput): AsyncGenerator<Computed, void, void> {
  const slices = new Slices(input);
  let endTurn = await takeTurn();
  const inTurn = async function* (computing: Iterator<Computed, void>): AsyncGenerator<Computed, void, void> {
    for (;;) {
      await roomForSlice();
      const slice = compute(computing);
      if (!slice) return;
      endTurn();
      yield slice;
      endTurn = await takeTurn();
    }
  };
  try {
    for await (const records of pieces.read()) {
      await addSettings(input, records);
      yield* inTurn(slices.add(records));
    }
    yield* inTurn(slices.rest());
  } finally {
    endTurn();
  }
}

/** Resolves when no large slice is in memory any more. */
async function roomForSlice(): Promise<void> {
  if (largeStored) {
    await largeStored;
    await roomForSlice();
  } else if (hasLeftovers) {
    hasLeftovers = false;
    releaseBuffers();
  }
}

async function storeSlice(
  slice: Computed,
  input: SliceInput,
  token: string,
  { now, onStored }: { readonly now: number } & Pick<Stores, 'onStored'>,
): Promise<readonly RecordedProject[]> {
  try {
    await symbolicate(slice, input);
    await settleReported(slice, input);
    const recorded = await storeBatch({ state, events, blobs, payloads, onStored }, slice, token, now);
    // Whoever still has the slice must not keep what may be most of the memory.
    slice.blobs.length = 0;
    for (const encoder of [slice.errors, ...Object.values(slice.rows)]) encoder[Symbol.dispose]();
    return recorded;
  } finally {
    // Where it could not be stored, the batch is computed again.
    slice.payloads?.[Symbol.dispose]();
  }
}

/** Notes the segments that may have performance problems; returns how many. */
function note({ suspicion }: Computed, now: number): Promise<number> {
  const suspects = suspicion.suspects().filter((suspect) => isSampled(suspect, now));
  return noteSuspects(state, suspects, { now, waitMs: setup.performanceWaitMs });
}

function noteDigest(digests: Map<number, Set<string>>, { project_id, digest }: Sighted['row']): void {
  const known = digests.get(project_id);
  if (known) known.add(digest);
  else digests.set(project_id, new Set([digest]));
}

/** What is known of projects grows with the pieces that name them. */
interface BatchInput extends SliceInput {
  readonly settings: Map<number, ProjectSettings>;
  readonly withArtifacts: Set<number>;
}

async function addSettings({ settings, withArtifacts }: BatchInput, records: readonly LogRecord[]): Promise<void> {
  const added: number[] = [];
  for (const { head } of decodeRecords(records)) {
    if (head.kind !== 'envelope' || settings.has(head.projectId)) continue;
    const found = await projects.lookup(head.projectId);
    if (!found) continue;
    settings.set(head.projectId, found);
    added.push(head.projectId);
  }
  if (added.length === 0) return;
  for (const projectId of await projectsWithArtifacts(state, added)) withArtifacts.add(projectId);
}

/** The same each time that the batch comes: as its first piece says. */
const isWorthSegment = ({ records }: SentBatch): boolean =>
  sizeOfRecords(records) >= (events.payloads?.leastBytes ?? 0);

function inputOf(batch: SentBatch): BatchInput {
  return {
    settings: new Map(),
    withArtifacts: new Set(),
    maxEnvelopeBytes: setup.maxEnvelopeBytes,
    poisoned: new Set(batch.poisoned),
    explained,
    isShared: !isOwn,
    payloads: isWorthSegment(batch) ? payloads && (() => payloads.batch()) : undefined,
    onRecord(position) {
      progress[progressSlots.startedAt] = steadyMs();
      progress[progressSlots.position] = position;
    },
  };
}

/** Looks up what frames of the slice wait for, and finishes their events. */
async function symbolicate(slice: Computed, input: SliceInput): Promise<void> {
  if (!slice.waiting.length) return;
  const requests = slice.waiting.map(({ event }) => event);
  const results = await symbolicator.symbolicate(requests);
  const resultOf = new Map(requests.map((request, index) => [request, results[index]]));
  try {
    finishWaiting(slice, input, (event) => resultOf.get(event)?.missing ?? []);
  } finally {
    progress[progressSlots.position] = 0;
  }
}

/** Finds out which errors of spans were reported as events too, and finishes them all. */
async function settleReported(slice: Computed, input: SliceInput): Promise<void> {
  if (!slice.maybeReported.length) return;
  const isReported = await findReported(events, slice);
  try {
    finishMaybeReported(slice, input, isReported);
  } finally {
    progress[progressSlots.position] = 0;
  }
  await symbolicate(slice, input);
}

function compute(slices: Iterator<Computed, void>): Computed | undefined {
  try {
    return slices.next().value ?? undefined;
  } finally {
    progress[progressSlots.position] = 0;
  }
}
