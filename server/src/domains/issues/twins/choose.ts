/** Which server event is the cause of what a browser saw. Pure. */
import type { ServerEvent, View } from './lookup.ts';

export interface ServerEvents {
  /** Of those that share the view's digest or trace, the likeliest cause; undefined for none. */
  causeOf(view: View): ServerEvent | undefined;
}

export function indexServerEvents(events: readonly ServerEvent[]): ServerEvents {
  const byDigest = Map.groupBy(events, (event) => event.digest);
  const byTrace = Map.groupBy(events, (event) => event.traceId);
  return {
    causeOf(view) {
      const candidates = [
        ...(view.digest === '' ? [] : (byDigest.get(view.digest) ?? [])),
        ...(view.traceId === '' ? [] : (byTrace.get(view.traceId) ?? [])),
      ].filter((event) => event.digest === '' || view.digest === '' || event.digest === view.digest);
      return candidates.reduce<ServerEvent | undefined>(
        (best, event) => (best && compare(view, best, event) <= 0 ? best : event),
        undefined,
      );
    },
  };
}

/** Below 0: `a` is likelier. A trace may have several errors: the same digest, the same visit, the same page, the nearest in time. */
function compare(view: View, a: ServerEvent, b: ServerEvent): number {
  const likeness = (event: ServerEvent): number =>
    (view.digest !== '' && event.digest === view.digest ? 4 : 0) +
    (view.traceId !== '' && event.traceId === view.traceId ? 2 : 0) +
    (view.transaction !== '' && event.transaction.includes(view.transaction) ? 1 : 0);
  return likeness(b) - likeness(a) || Math.abs(a.at - view.at) - Math.abs(b.at - view.at);
}
