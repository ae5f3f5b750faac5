/**
 * What is looked for in a stored event beyond the columns of its row, under the paths that it has in the payload: what
 * keys of the search say (`packages/search`), and which spans a performance problem is about.
 */
import type { Event } from './event.ts';
import { failedThread } from './failed-thread.ts';
import { asObject } from './json.ts';

type Searched = Partial<Pick<Event, 'type' | 'contexts' | 'exception' | 'threads'>> & {
  readonly user?: { readonly geo?: unknown; readonly id?: unknown } | undefined;
  readonly request?: { readonly method?: unknown; readonly headers?: unknown } | undefined;
  /** Of problems. */
  readonly occurrence?: {
    readonly evidenceData: { readonly offenderSpanIds: readonly string[]; readonly causeSpanIds: readonly string[] };
  };
};

/** JSON text; `{}` at the least. */
export function factsText(event: Searched): string {
  const { type, user, request, occurrence } = event;
  const evidence = occurrence?.evidenceData;
  return JSON.stringify({
    type,
    contexts: event.threads ? withThread(event) : event.contexts,
    user: user?.geo === undefined ? undefined : { geo: user.geo },
    request: request && { method: request.method, headers: request.headers },
    occurrence: evidence && {
      evidenceData: { offenderSpanIds: evidence.offenderSpanIds, causeSpanIds: evidence.causeSpanIds },
    },
  });
}

/** The name of the thread that failed stands where SDKs say it that send no threads. */
function withThread(event: Searched): Searched['contexts'] {
  const { contexts } = event;
  const name = failedThread(event)?.name;
  const data = asObject(contexts?.trace?.data);
  if (name === undefined || data?.[threadName] !== undefined) return contexts;
  return { ...contexts, trace: { ...contexts?.trace, data: { ...data, [threadName]: name } } };
}

const threadName = 'thread.name';
