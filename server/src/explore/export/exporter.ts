/** Runs exports one at a time, in the order in which they were asked for, and deletes their files in time. */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Blobs } from '../../blobs/blobs.ts';
import { CodedError } from '../../errors.ts';
import { listProjects } from '../../projects/index.ts';
import type { Failures } from '../../self/index.ts';
import { exactTimeRange } from '../../search/index.ts';
import { latestNamed } from '../latest.ts';
import type { ExploreScope, ExploreStores } from '../types.ts';
import {
  cancelExport,
  endExport,
  type ExportJob,
  exportKey,
  noteExport,
  resumeExports,
  takeExpired,
  takeExport,
} from './jobs.ts';
import { writeExport } from './write.ts';

export interface Exporter extends AsyncDisposable {
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
/** How long is waited for the events store before it is asked again. */
const waitMs = 5000;
/** Progress is written down once in so many ms. */
const noteMs = 500;

/** What of a stored question says what is to be written. */
const StoredQuestion = z.object({
  dataset: z.enum(['errors', 'spans', 'transactions']),
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

export function openExporter(options: ExporterOptions): Exporter {
  const { state, blobs, failures } = options;
  const closing = new AbortController();
  let running: { readonly id: number; readonly stop: AbortController } | undefined;
  let work: Promise<void> | undefined;
  let again = false;

  const ready = resumeExports(state).catch((error: unknown) => {
    failures.note(error, { message: 'exports that broke off could not be taken up again' });
  });

  function wake(): void {
    again = true;
    if (work || closing.signal.aborted) return;
    work = ready.then(run).finally(() => {
      work = undefined;
      if (again && !closing.signal.aborted) wake();
    });
  }

  async function run(): Promise<void> {
    again = false;
    try {
      for (;;) {
        if (closing.signal.aborted) return;
        const job = await takeExport(state, Date.now());
        if (!job) return;
        await runOne(job);
      }
    } catch (error) {
      failures.note(error, { message: 'exports stopped; they go on with the next one' });
    }
  }

  async function runOne(job: ExportJob): Promise<void> {
    const stop = new AbortController();
    running = { id: job.id, stop };
    const signal = AbortSignal.any([stop.signal, closing.signal]);
    try {
      await writeJob(options, job, signal);
      await endExport(state, job.id, { state: 'done', detail: '' }, Date.now());
    } catch (error) {
      if (stop.signal.aborted || error instanceof Cancelled) {
        // It may have been written as a whole by then.
        await blobs.delete(exportKey(job));
      } else if (closing.signal.aborted) {
        await endExport(state, job.id, { state: 'waiting', detail: '' }, Date.now());
      } else if (error instanceof CodedError && error.code === 'ENGINE_UNAVAILABLE') {
        await endExport(state, job.id, { state: 'waiting', detail: error.message }, Date.now());
        await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {});
      } else {
        // What a person can do something about is said; the rest is ours.
        const coded = error instanceof CodedError ? error.message : undefined;
        const digest = coded ? '' : failures.note(error, { message: 'an export failed' }).digest;
        const detail = coded ?? `something went wrong on the server; its log has the details under ${digest}`;
        await endExport(state, job.id, { state: 'failed', detail }, Date.now());
      }
    } finally {
      running = undefined;
    }
  }

  async function sweep(): Promise<void> {
    for (const job of await takeExpired(state, Date.now())) await blobs.delete(exportKey(job));
  }
  const swept = (): void => {
    sweep().catch((error: unknown) => failures.note(error, { message: 'old exports could not be deleted' }));
  };
  const timer = setInterval(swept, sweepMs).unref();
  void ready.then(swept);
  wake();

  return {
    wake,
    async cancel(job) {
      if (running?.id === job.id) running.stop.abort(new Cancelled('cancelled'));
      await cancelExport(state, job, Date.now());
      if (job.finishedAt !== null) await blobs.delete(exportKey(job));
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort(new Error('the server stops'));
      await work;
    },
  };
}

async function writeJob(options: ExporterOptions, job: ExportJob, signal: AbortSignal): Promise<void> {
  const { state, blobs } = options;
  const question = StoredQuestion.parse(job.question);
  const wanted = new Set(job.projectIds);
  const projects = (await listProjects(state, job.organizationId)).filter(({ id }) => wanted.has(id));
  let noted = 0;
  let last: { rows: number; total: number; bytes: number } | undefined;
  const note = async (): Promise<void> => {
    if (last && !(await noteExport(state, job.id, last))) throw new Cancelled('cancelled');
  };
  const pieces = writeExport(
    options,
    { ...scopeOf(question, job, projects), latestReleases: await latestNamed(state, projects, [question.query]) },
    question,
    projects,
    { format: job.format, signal },
    async (progress) => {
      last = progress;
      if (Date.now() - noted < noteMs) return;
      noted = Date.now();
      await note();
    },
  );
  const bytes = await blobs.putStream(exportKey(job), pieces);
  last = { rows: last?.rows ?? 0, total: last?.total ?? 0, bytes };
  await note();
}

/** A relative range counts from when it was asked for. */
function scopeOf(
  question: z.output<typeof StoredQuestion>,
  { createdAt }: ExportJob,
  projects: ExploreScope['projects'],
): ExploreScope {
  const range = exactTimeRange(question, createdAt) ?? exactTimeRange({ statsPeriod: defaultPeriod }, createdAt);
  if (!range) throw new TypeError('a period is a range');
  return { dataSet: question.dataset, projects, environments: question.environment, range, nowMs: createdAt };
}
