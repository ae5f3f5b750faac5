/**
 * What is looked for in a stored event beyond the columns of its row, under the paths that it has in the payload: what
 * keys of the search say (`packages/search`), and which spans a performance problem is about.
 */
import type { Event } from './event.ts';

type Searched = Partial<Pick<Event, 'type' | 'contexts'>> & {
  readonly user?: { readonly geo?: unknown; readonly id?: unknown } | undefined;
  readonly request?: { readonly method?: unknown; readonly headers?: unknown } | undefined;
  /** Of problems. */
  readonly occurrence?: {
    readonly evidenceData: { readonly offenderSpanIds: readonly string[]; readonly causeSpanIds: readonly string[] };
  };
};

/** JSON text; `{}` at the least. */
export function factsText({ type, contexts, user, request, occurrence }: Searched): string {
  const evidence = occurrence?.evidenceData;
  return JSON.stringify({
    type,
    contexts,
    user: user?.geo === undefined ? undefined : { geo: user.geo },
    request: request && { method: request.method, headers: request.headers },
    occurrence: evidence && {
      evidenceData: { offenderSpanIds: evidence.offenderSpanIds, causeSpanIds: evidence.causeSpanIds },
    },
  });
}
