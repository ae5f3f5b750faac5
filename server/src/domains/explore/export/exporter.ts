/** Runs exports, on each node one at a time, in the order in which they were asked for, and deletes their files in time. */
import { z } from 'zod';
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import { CodedError } from '../../../base/errors.ts';
import { type Claimer, createAlarm, type Job, LeaseLost, withHeartbeat } from '../../../base/jobs/index.ts';
import { listProjects } from '../../projects/index.ts';
import type { Failures } from '../../../base/self/index.ts';
import { exportedTables } from '../../../base/tables/index.ts';
import { type ExactRange, exactTimeRange, type RangeRequest } from '../../../base/time-range.ts';
import { latestNamed } from '../latest.ts';
import type { ExploreStores } from '../types.ts';
import { exports as texts } from '../../../base/texts/requests.ts';
import {
  cancelExport,
  type ClaimedExport,
  countExports,
  endExport,
  type ExportJob,
  exportKey,
  holdExport,
  isCancelled,
  nextExportAt,
  noteExport,
  takeExpired,
  takeExport,
} from './jobs.ts';
import { isRowExport, writeRows } from './rows.ts';
import { type ExportProgress, writeExport } from './write.ts';
import { jobs as jobTexts } from '../../../base/texts/jobs.ts';

export interface Exporter {
  readonly jobs: readonly Job[];
  /** There may be something to do. */
  wake(): void;
  /** Stops one that runs; one that is over is deleted with its file. */
  cancel(job: ExportJob): Promise<void>;
}

interface ExporterOptions extends ExploreStores {
  readonly blobs: Blobs;
  readonly failures: Failures;
}

const sweepMs = 3_600_000;
/** What another node has left is found so often. */
const everyMs = 5000;
/** How long is waited for the events store before it is asked again. */
const waitMs = 5000;
/** Progress is written down once in so many ms. */
const noteMs = 500;

/** What of a stored question says what is to be written. */
const StoredQuestion = z.object({
  dataset: z.enum(['errors', 'spans', 'transactions', ...exportedTables]),
  query: z.string(),
  field: z.array(z.string()),
  sort: z.array(z.string()),
  statsPeriod: z.string().optional(),
  start: z.string().optional(),
  end: z.string().optional(),
  environment: z.array(z.string()),
});

export const defaultPeriod = '14d';

/** Somebody has cancelled it while it was written. */
class Cancelled extends Error {}

export function createExporter(options: ExporterOptions): Exporter {
  const { state, blobs } = options;
  const alarm = createAlarm();
  /** Of this node. */
  let running: { readonly id: number; readonly stop: AbortController } | undefined;

  async function runOne(job: ExportJob, claimer: Claimer, closing: AbortSignal): Promise<void> {
    const stop = new AbortController();
    running = { id: job.id, stop };
    const claimed = { id: job.id, node: claimer.node };
    const signal = AbortSignal.any([stop.signal, closing]);
    try {
      const beat = { keep: () => holdExport(state, job.id, claimer), leaseMs: claimer.leaseMs, signal };
      await withHeartbeat(beat, (held) => writeJob(options, job, claimed, held));
      await endExport(state, claimed, { state: 'done', detail: '' });
    } catch (error) {
      await endBrokenOff(options, job, claimed, error, closing);
    } finally {
      running = undefined;
    }
  }

  return {
    jobs: [
      {
        name: 'exports',
        title: jobTexts.exports.title,
        nodes: 'each',
        everyMs,
        needsEvents: true,
        alarm,
        failed: jobTexts.exports.failed,
        async run({ signal, ...claimer }) {
          while (!signal.aborted) {
            const job = await takeExport(state, claimer);
            if (!job) break;
            await runOne(job, claimer, signal);
          }
          return nextExportAt(state);
        },
        count: () => countExports(state),
      },
      {
        name: 'export-expiry',
        title: jobTexts.exportExpiry.title,
        nodes: 'one',
        everyMs: sweepMs,
        failed: jobTexts.exportExpiry.failed,
        async run() {
          for (const job of await takeExpired(state, Date.now())) await blobs.delete(exportKey(job));
        },
      },
    ],
    wake: () => alarm.ring(),
    async cancel(job) {
      if (running?.id === job.id) running.stop.abort(new Cancelled('cancelled'));
      await cancelExport(state, job, Date.now());
      if (job.finishedAt !== null) await blobs.delete(exportKey(job));
    },
  };
}

async function endBrokenOff(
  { state, blobs, failures }: ExporterOptions,
  job: ExportJob,
  claimed: ClaimedExport,
  error: unknown,
  closing: AbortSignal,
): Promise<void> {
  if (error instanceof Cancelled || (await isCancelled(state, job.id))) {
    // It may have been written as a whole by then.
    await blobs.delete(exportKey(job));
  } else if (error instanceof LeaseLost) {
    // Whoever has it writes it anew.
  } else if (closing.aborted) {
    await endExport(state, claimed, { state: 'waiting', detail: '', afterMs: 0 });
  } else if (error instanceof CodedError && error.code === 'ENGINE_UNAVAILABLE') {
    await endExport(state, claimed, { state: 'waiting', detail: error.message, afterMs: waitMs });
  } else {
    // What a person can do something about is said; the rest is ours.
    const coded = error instanceof CodedError ? error.message : undefined;
    const digest = coded ? '' : failures.note(error, { message: 'an export failed' }).digest;
    const detail = coded ?? texts.failed(digest);
    await endExport(state, claimed, { state: 'failed', detail });
  }
}

async function writeJob(
  options: ExporterOptions,
  job: ExportJob,
  claimed: ClaimedExport,
  signal: AbortSignal,
): Promise<void> {
  const { state, blobs } = options;
  const wanted = new Set(job.projectIds);
  const projects = (await listProjects(state, job.organizationId)).filter(({ id }) => wanted.has(id));
  let noted = 0;
  let last: { rows: number; total: number; bytes: number } | undefined;
  const note = async (): Promise<void> => {
    const said = last && (await noteExport(state, claimed, last));
    if (said === 'cancelled') throw new Cancelled('cancelled');
    if (said === 'lost') throw new LeaseLost(`another node writes export ${job.id}`);
  };
  const noteNow = async (progress: ExportProgress): Promise<void> => {
    last = progress;
    if (Date.now() - noted < noteMs) return;
    noted = Date.now();
    await note();
  };
  const pieces = await piecesOf(options, job, projects, signal, noteNow);
  const bytes = await blobs.putStream(exportKey(job), pieces);
  last = { rows: last?.rows ?? 0, total: last?.total ?? 0, bytes };
  await note();
}

async function piecesOf(
  { state, events }: ExporterOptions,
  job: ExportJob,
  projects: Awaited<ReturnType<typeof listProjects>>,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => Promise<void>,
): Promise<AsyncIterable<Uint8Array>> {
  const { dataset, ...question } = StoredQuestion.parse(job.question);
  const how = { format: job.format, signal };
  const range = rangeOf(question, job);
  if (isRowExport(dataset)) return writeRows(events, { ...question, dataset }, { projects, range }, how, onProgress);
  const latestReleases = await latestNamed(state, projects, [question.query]);
  const scope = {
    dataSet: dataset,
    projects,
    environments: question.environment,
    range,
    nowMs: job.createdAt,
    latestReleases,
  };
  return writeExport({ state, events }, scope, question, projects, how, onProgress);
}

/** A relative range counts from when it was asked for. */
function rangeOf(question: RangeRequest, { createdAt }: ExportJob): ExactRange {
  const range = exactTimeRange(question, createdAt) ?? exactTimeRange({ statsPeriod: defaultPeriod }, createdAt);
  if (!range) throw new TypeError('a period is a range');
  return range;
}
