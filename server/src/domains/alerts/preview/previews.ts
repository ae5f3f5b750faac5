/** Previews of rules that are not saved yet. The stores do the work, so that it needs no thread of its own. */
import { CodedError } from '../../../base/errors.ts';
import type { Failures } from '../../../base/self/index.ts';
import { previews as texts } from '../../../base/texts/alerts.ts';
import { openPreviews, type Preview } from '../../previews/index.ts';
import type { RuleDefinition } from '../types.ts';
import { type PreviewResult, type PreviewStores, runPreview } from './run.ts';

export type AlertPreview = Preview<{ readonly rule: RuleDefinition }, PreviewResult>;

export interface AlertPreviews extends AsyncDisposable {
  /** Resolves when it is done, or after so many ms. Throws PREVIEWS_FULL while enough are running. */
  start(organizationId: string, rule: RuleDefinition, waitMs: number): Promise<AlertPreview>;
  /** Undefined where the organisation has none of the id. */
  find(organizationId: string, id: string): Promise<AlertPreview | undefined>;
  /** False where there is none. */
  cancel(organizationId: string, id: string): Promise<boolean>;
}

export interface AlertPreviewsOptions extends PreviewStores {
  readonly node: string;
  readonly failures: Failures;
}

const maxRunning = 3;
const keepMs = 5 * 60_000;
/** A preview that takes longer than that is no help any more. */
const timeoutMs = 3 * 60_000;

function explain(error: unknown): { readonly detail: string; readonly message?: string } {
  if (error instanceof CodedError) return { detail: error.message };
  const isTooLong = error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name);
  return isTooLong ? { detail: texts.tooLong } : { detail: texts.failed, message: texts.noted };
}

export function openAlertPreviews({ node, failures, ...stores }: AlertPreviewsOptions): AlertPreviews {
  const { state } = stores;
  const previews = openPreviews<AlertPreview['about'], PreviewResult>({
    state,
    node,
    kind: 'alerts',
    maxRunning,
    keepMs,
    failures,
    explain,
  });
  return {
    async start(organizationId, rule, waitMs) {
      const { now, ended } = await previews.start(organizationId, { rule }, ({ signal, onProgress }) =>
        runPreview(stores, {
          organizationId,
          rule,
          nowMs: Date.now(),
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          onProgress,
        }),
      );
      let timer: NodeJS.Timeout | undefined;
      const waited = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, waitMs);
      });
      await Promise.race([ended, waited]);
      clearTimeout(timer);
      return now();
    },
    find: (organizationId, id) => previews.find(organizationId, id),
    cancel: (organizationId, id) => previews.cancel(organizationId, id),
    [Symbol.asyncDispose]: () => previews[Symbol.asyncDispose](),
  };
}
