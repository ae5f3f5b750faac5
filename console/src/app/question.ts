/** What a page asks when it is opened, so that it can be asked ahead of the click too. */
import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';
import { dynamicStaleTimeMs } from '../features/freshness.ts';

/** One request that a page makes when it is opened. */
export interface Question {
  readonly queryKey: QueryKey;
  /** Its answer is out of date at once, so it is only worth asking right before a click. */
  readonly dynamic: boolean;
  /** Asks unless a fresh answer is known; never rejects. */
  readonly ask: (client: QueryClient) => Promise<void>;
}

/** Who fetches ahead of a click. Its code comes after the content: before that nobody does. */
export interface Ahead {
  /** What the page of this link will ask. Of a link in view the answers that last; of one pointed at all of them. */
  ask?: (href: string, questions: readonly Question[]) => void;
}

export function question<Data, Key extends QueryKey>(options: FetchQueryOptions<Data, Error, Data, Key>): Question {
  return {
    queryKey: options.queryKey,
    dynamic: options.staleTime === undefined || options.staleTime === dynamicStaleTimeMs,
    ask: (client) => client.prefetchQuery(options),
  };
}
