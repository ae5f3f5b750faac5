/** Runs imports, on each node one at a time: the server has the log, so it writes what comes, whoever asked for it. */
import { CodedError } from '../../base/errors.ts';
import { createAlarm, type Job, type JobContext, LeaseLost, withHeartbeat } from '../../base/jobs/index.ts';
import type { AllowList } from '../../base/outbound/index.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import type { Failures } from '../../base/self/index.ts';
import { runs as texts, stops } from '../../base/texts/imports.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import { stop } from './client.ts';
import type { ImportStores } from './context.ts';
import type { Report, Reporter } from './report.ts';
import { runImport } from './run.ts';
import { endRun, holdRun, type ImportRun, nextRunAt, noteRun, type Progress, takeRun, tokenPlace } from './runs.ts';

export interface ImporterOptions extends ImportStores {
  readonly failures: Failures;
  /** Opens the tokens. */
  readonly box: TextBox;
  readonly allow: AllowList;
}

/** What other processes have asked for is found so often. */
const everyMs = 1_000;
/** How long is waited for the events store before it is asked again. */
const waitMs = 5_000;
/** Progress is written down once in so many ms. */
const noteMs = 400;

export function createImporter(options: ImporterOptions): Job {
  const { state } = options;
  return {
    name: 'imports',
    title: jobTexts.imports.title,
    nodes: 'each',
    everyMs,
    needsEvents: true,
    alarm: createAlarm(),
    failed: jobTexts.imports.failed,
    async run(context) {
      while (!context.signal.aborted) {
        const run = await takeRun(state, context);
        if (!run) break;
        await runOne(options, run, context);
      }
      return nextRunAt(state);
    },
  };
}

async function runOne(options: ImporterOptions, run: ImportRun, { signal, ...claimer }: JobContext): Promise<void> {
  const { state, failures } = options;
  const keeper = createKeeper(options, run.id);
  const beat = { keep: () => holdRun(state, run.id, claimer), leaseMs: claimer.leaseMs, signal };
  try {
    await withHeartbeat(beat, (held) =>
      runImport({
        stores: options,
        run,
        token: openToken(options, run),
        allow: options.allow,
        signal: held,
        note: keeper.note,
      }),
    );
    await keeper.flush();
    await endRun(state, run.id, { state: 'done', detail: '' }, Date.now());
  } catch (error) {
    await keeper.flush();
    const now = Date.now();
    if (signal.aborted) await endRun(state, run.id, { state: 'waiting', detail: texts.restarted, dueAt: now }, now);
    else if (isLost(error)) return;
    else if (error instanceof CodedError && error.code === 'ENGINE_UNAVAILABLE') {
      await endRun(state, run.id, { state: 'waiting', detail: error.message, dueAt: now + waitMs }, now);
    } else {
      const coded = error instanceof CodedError ? error.message : undefined;
      const detail = coded ?? texts.failed(failures.note(error, { message: 'an import failed' }).digest);
      await endRun(state, run.id, { state: 'failed', detail }, now);
    }
  }
}

/** It was cancelled, or another node goes on with it. */
const isLost = (error: unknown): boolean =>
  error instanceof LeaseLost || (error instanceof Error && error.cause instanceof LeaseLost);

function openToken({ box }: ImporterOptions, { token, organizationId, url }: ImportRun): string {
  const opened = box.open(token, tokenPlace(organizationId, url));
  if (opened === undefined) throw stop(stops.tokenGone);
  return opened;
}

/** Writes down how far it is, not at every step: the last one is never left out, since a long wait may follow. */
function createKeeper({ state }: ImporterOptions, id: number) {
  let last: { readonly progress: Progress; readonly report: Report } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const said = last;
    if (!said) return;
    // What is not noted now is noted with the next step.
    writing = writing.then(() => noteRun(state, id, said)).catch(() => {});
  };
  return {
    note(progress: Progress, reporter: Reporter): void {
      last = { progress, report: reporter.report };
      timer ??= setTimeout(write, noteMs);
    },
    async flush(): Promise<void> {
      write();
      await writing;
    },
  };
}
