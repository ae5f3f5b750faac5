/** The smallest envelope that says all that is known of an error before the app was up. */
import { type Frame, parseStack } from './frames.ts';

/** What the page knows, in the form of the event that it becomes a part of. */
export interface Surroundings {
  readonly event_id: string;
  readonly release: string | undefined;
  readonly environment: string;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string | undefined>> };
  readonly tags: { readonly digest: string | undefined };
}

export interface Problem {
  readonly error: unknown;
  readonly timestampMs: number;
  /** Where it was thrown, as `file:line:column`, for what carries no stack. */
  readonly place: string | undefined;
}

interface Exception {
  readonly type: string;
  readonly value: string;
  readonly stacktrace: { readonly frames: readonly Frame[] } | undefined;
  readonly mechanism: { readonly type: string; readonly handled: false } | undefined;
}

/** What is cut is cut with room for the whole to pass as a request that outlives the page (64 KiB). */
const maxText = 2000;
const maxExceptions = 4;

export const sdk = { name: 'culprit.javascript.guard', version: '0.2.0' };

/**
 * One event, in the text form of an envelope; `sentryTrace` is the content of `<meta name="sentry-trace">`. May throw where
 * the error's own getters do.
 */
export function buildEnvelope(
  dsn: string,
  { error, timestampMs, place }: Problem,
  surroundings: Surroundings,
  sentryTrace = '',
): string {
  const { event_id } = surroundings;
  const trace = /^([0-9a-f]{32})-([0-9a-f]{16})/.exec(sentryTrace);
  const event = {
    timestamp: timestampMs / 1000,
    platform: 'javascript',
    level: 'fatal',
    sdk,
    contexts: {
      trace: trace ? { trace_id: trace[1], parent_span_id: trace[2], span_id: event_id.slice(16) } : undefined,
    },
    exception: { values: exceptions(error, place) },
  };
  return [{ event_id, dsn }, { type: 'event' }, Object.assign(event, surroundings)]
    .map((part) => JSON.stringify(part))
    .join('\n');
}

/** What caused what, the first cause first. */
function exceptions(error: unknown, place: string | undefined): Exception[] {
  const values = [exception(error, place, { type: 'culprit.guard', handled: false })];
  let cause = error;
  while (cause instanceof Error && values.length < maxExceptions) {
    cause = (cause as { cause?: unknown }).cause;
    if (cause instanceof Error) values.unshift(exception(cause));
  }
  return values;
}

function exception(error: unknown, place?: string, mechanism?: Exception['mechanism']): Exception {
  const { name, message = error, stack = place } = Object(error) as Readonly<Record<string, unknown>>;
  // A file that failed to load was not asked for by the guard, whose own frames are all that its stack has.
  const frames = name === 'ScriptLoadError' ? [] : parseStack(String(stack));
  return {
    type: String(name || 'Error'),
    value: String(message).slice(0, maxText),
    stacktrace: frames.length ? { frames } : undefined,
    mechanism,
  };
}
