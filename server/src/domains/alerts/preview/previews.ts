/**
 * Previews of rules that are not saved yet.
 *
 * A preview: running → done | failed, forgotten five minutes after it was last asked for; gone at once when it is broken off.
 * The stores do the work, so that it needs no thread of its own.
 */
import { randomUUID } from 'node:crypto';
import { CodedError } from '../../../base/errors.ts';
import type { Failures } from '../../../base/self/index.ts';
import { previews } from '../../../base/texts/alerts.ts';
import type { RuleDefinition } from '../types.ts';
import { type PreviewResult, type PreviewStores, runPreview } from './run.ts';

export interface AlertPreview {
  readonly id: string;
  readonly organizationId: string;
  readonly rule: RuleDefinition;
  readonly status: 'running' | 'done' | 'failed';
  /** 0 to 1. */
  readonly progress: number;
  /** '' or what went wrong. */
  readonly detail: string;
  readonly result: PreviewResult | undefined;
}

export interface AlertPreviews extends AsyncDisposable {
  /** Resolves when it is done, or after so many ms. Throws PREVIEWS_FULL while enough are running. */
  start(organizationId: string, rule: RuleDefinition, waitMs: number): Promise<AlertPreview>;
  /** Undefined where the organisation has none of the id. */
  find(organizationId: string, id: string): AlertPreview | undefined;
  /** False where there is none. */
  cancel(organizationId: string, id: string): boolean;
}

const maxRunning = 3;
const maxKept = 100;
const keepMs = 5 * 60_000;
/** A preview that takes longer than that is no help any more. */
const timeoutMs = 3 * 60_000;

interface Entry {
  preview: AlertPreview;
  askedAt: number;
  readonly stop: AbortController;
  work: Promise<void>;
}

export function openAlertPreviews(stores: PreviewStores & { readonly failures: Failures }): AlertPreviews {
  const entries = new Map<string, Entry>();

  function forgetOld(nowMs: number): void {
    for (const [id, { askedAt, stop }] of entries) {
      if (askedAt >= nowMs - keepMs && entries.size < maxKept) continue;
      entries.delete(id);
      stop.abort();
    }
  }

  async function run(entry: Entry): Promise<void> {
    const { organizationId, rule } = entry.preview;
    try {
      const result = await runPreview(stores, {
        organizationId,
        rule,
        nowMs: Date.now(),
        signal: AbortSignal.any([entry.stop.signal, AbortSignal.timeout(timeoutMs)]),
        onProgress: (progress) => {
          entry.preview = { ...entry.preview, progress };
        },
      });
      entry.preview = { ...entry.preview, status: 'done', progress: 1, result };
    } catch (error) {
      const isTooLong =
        error instanceof CodedError || (error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name));
      const detail = error instanceof CodedError ? error.message : isTooLong ? previews.tooLong : previews.failed;
      entry.preview = { ...entry.preview, status: 'failed', detail };
      if (!isTooLong && !entry.stop.signal.aborted)
        stores.failures.note(error, { message: 'an alert rule preview failed' });
    }
  }

  const found = (organizationId: string, id: string): Entry | undefined => {
    const entry = entries.get(id);
    return entry?.preview.organizationId === organizationId ? entry : undefined;
  };

  return {
    async start(organizationId, rule, waitMs) {
      forgetOld(Date.now());
      const running = [...entries.values()].filter(({ preview }) => preview.status === 'running');
      if (running.length >= maxRunning) throw new CodedError('PREVIEWS_FULL', [], { retryAfter: 5 });
      const id = randomUUID().replaceAll('-', '');
      const preview: AlertPreview = {
        id,
        organizationId,
        rule,
        status: 'running',
        progress: 0,
        detail: '',
        result: undefined,
      };
      const entry: Entry = { preview, askedAt: Date.now(), stop: new AbortController(), work: Promise.resolve() };
      entries.set(id, entry);
      entry.work = run(entry);
      let timer: NodeJS.Timeout | undefined;
      const waited = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, waitMs);
      });
      await Promise.race([entry.work, waited]);
      clearTimeout(timer);
      return entry.preview;
    },
    find(organizationId, id) {
      const entry = found(organizationId, id);
      if (entry) entry.askedAt = Date.now();
      return entry?.preview;
    },
    cancel(organizationId, id) {
      const entry = found(organizationId, id);
      if (!entry) return false;
      entries.delete(id);
      entry.stop.abort();
      return true;
    },
    async [Symbol.asyncDispose]() {
      const works = [...entries.values()].map(({ stop, work }) => {
        stop.abort();
        return work;
      });
      await Promise.all(works);
    },
  };
}
