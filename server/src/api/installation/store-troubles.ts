/** What the nodes of an installation say together of its stores: which are amiss, and since when. */
import { troubles as texts } from '../../base/texts/health.ts';
import type { NodeEntry } from '../../domains/nodes/index.ts';
import type { LogStats } from '../../ports/queue/log.ts';

/** What this node finds itself just now; the nodes say what they see every ten seconds. */
interface Found {
  readonly ready: boolean;
  readonly away: LogStats['away'];
}

/** Sentences: a store by name, the nodes that see it so, and what that leads to. */
export function storeTroubles(
  nodes: readonly Pick<NodeEntry, 'isGone' | 'address' | 'stores'>[],
  { ready, away }: Found,
): string[] {
  const running = nodes.filter(({ isGone }) => !isGone);
  const seen = running.flatMap(({ address, stores }) => stores.map((view) => ({ address, ...view })));
  const amiss = Map.groupBy(seen, ({ store, state }) => `${store} ${state}`);
  const told = [...amiss.values()].flatMap((views) => {
    const [{ store, state } = { store: 'log', state: 'reachable' } as const] = views;
    if (state === 'reachable') return [];
    const since = Math.min(...views.map((one) => one.since));
    const addresses = running.length > 1 ? views.map(({ address }) => address) : [];
    const leadsTo = state === 'down' ? texts.withoutStore[store] : '';
    return [texts.store(store, state, since, addresses), ...(leadsTo ? [leadsTo] : [])];
  });
  return [
    ...(ready || amiss.has('events down') ? [] : [texts.eventsStore]),
    ...(away && !amiss.has('log down') ? [texts.store('log', 'down', away.sinceMs, [])] : []),
    ...told,
  ];
}
