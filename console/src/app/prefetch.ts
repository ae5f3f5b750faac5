/** Fetches ahead of a click what a page needs: its code, and what it asks for as far as that may be used later. */
import type { QueryClient } from '@tanstack/react-query';
import { prefetchLimit, staticStaleTimeMs } from '../features/freshness.ts';
import { createPrefetchQueue } from './prefetch-queue.ts';
import type { Ahead, Question } from './question.ts';
import type { ConsoleRouter } from './router.tsx';
import { watchLinks } from './watch-links.ts';

export interface Prefetcher {
  /** A link came into view, or the reader points at it. */
  want: (href: string, pointed: boolean) => void;
  /** It left the view, or the reader points elsewhere: what waits is forgotten, requests on their way are aborted. */
  unwant: (href: string, pointed: boolean) => void;
  ask: NonNullable<Ahead['ask']>;
  /** A visit begins: prefetches get out of its way, but for what it joins. */
  hold: (href: string) => void;
  /** The page is there. Links in view have to be wanted anew. */
  resume: () => void;
}

/** Begins to fetch ahead, once the first page shows its content: links in view, and the one that is pointed at. */
export function startPrefetching(router: ConsoleRouter): void {
  const { ahead, queryClient } = router.options.context;
  const prefetcher = createPrefetcher(queryClient, (href) =>
    router.preloadRoute({ href, state: { prefetchFor: href } } as Parameters<typeof router.preloadRoute>[0]),
  );
  ahead.ask = prefetcher.ask;
  const wantLinksInView = watchLinks(prefetcher);
  router.subscribe('onBeforeNavigate', ({ toLocation }) => prefetcher.hold(toLocation.href));
  router.subscribe('onResolved', () => {
    prefetcher.resume();
    wantLinksInView();
  });
}

/** `loadCode` loads the code of the page and calls `ask` with its questions. At most `prefetchLimit` tasks run at once. */
function createPrefetcher(client: QueryClient, loadCode: (href: string) => Promise<unknown>): Prefetcher {
  // What is on the screen is asked before what might be.
  const queue = createPrefetchQueue(
    prefetchLimit,
    () => client.isFetching({ predicate: (query) => query.isActive() }) === 0,
  );
  client.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'observerRemoved') queue.look();
  });
  const seen = new Set<string>();
  const pointedAt = new Set<string>();
  const doneAt = new Map<string, number>();

  return {
    want(href, pointed) {
      (pointed ? pointedAt : seen).add(href);
      if (!pointed && Date.now() - (doneAt.get(href) ?? -Infinity) < staticStaleTimeMs) return;
      queue.add({
        owner: href,
        urgent: pointed,
        alone: true,
        run: async () => {
          await loadCode(href);
          doneAt.set(href, Date.now());
        },
      });
    },
    unwant(href, pointed) {
      (pointed ? pointedAt : seen).delete(href);
      queue.drop(href, pointed);
    },
    ask(href, questions) {
      const urgent = pointedAt.has(href);
      if (!urgent && !seen.has(href)) return;
      for (const each of questions) {
        if (urgent || !each.dynamic)
          queue.add({ owner: href, urgent, run: (signal) => askAhead(client, each, signal) });
      }
    },
    hold(href) {
      seen.clear();
      pointedAt.clear();
      queue.hold(href);
    },
    resume: queue.resume,
  };
}

async function askAhead(client: QueryClient, { queryKey, ask }: Question, signal: AbortSignal): Promise<void> {
  const find = () => client.getQueryCache().find({ queryKey, exact: true });
  // Somebody else is asking, or keeps it up to date on the screen: not to be repeated, and not ours to abort.
  const known = find();
  if (known?.state.fetchStatus === 'fetching' || known?.isActive()) return;
  signal.addEventListener('abort', () => {
    const query = find();
    if (!query?.isActive()) void query?.cancel({ revert: true, silent: true });
  });
  await ask(client);
}
