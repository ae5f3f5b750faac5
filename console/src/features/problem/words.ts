/** What each kind of performance problem means, and how it is mended. Pure. */
import { plural } from '../../ui/numbers.ts';

export interface ProblemFacts {
  readonly type: string;
  /** Spans whose time it is about. */
  readonly offenders: number;
  /** Of the request or page in which it happened; '' where it is not known. */
  readonly transaction: string;
}

interface ProblemKind {
  /** What is wrong, without the place before it and the stop after it. */
  readonly sentence: (count: number) => string;
  /** Two or three sentences. */
  readonly advice: string;
}

const kinds: Readonly<Record<string, ProblemKind>> = {
  performance_n_plus_one_db_queries: {
    sentence: (count) => `${plural(count, 'query', 'queries')} of the same shape ran one after the other`,
    advice:
      'One query asked for a list, and each of its rows was then asked for by a query of its own. Ask for all of them at once: with a join, with the eager loading of your ORM (include, preload, prefetch), or with one query that takes the list of ids. The time then no longer grows with the number of rows.',
  },
  performance_consecutive_db_queries: {
    sentence: (count) =>
      `${plural(count, 'query', 'queries')} waited for each other although none needs the other's answer`,
    advice:
      'Start those that do not depend on each other together and wait for all of them, for example with Promise.all on several connections of the pool. Where they read the same rows, one query can often give all that is needed.',
  },
  performance_slow_db_query: {
    sentence: (count) =>
      `${count > 1 ? `${plural(count, 'query', 'queries')} took` : 'one query took'} longer than a query should`,
    advice:
      'Look at its plan (EXPLAIN ANALYZE): most often an index on the columns of WHERE, JOIN or ORDER BY is missing. Read only the columns and rows that are shown, and keep what is asked for often and changes rarely in a cache.',
  },
  performance_n_plus_one_api_calls: {
    sentence: (count) => `${plural(count, 'request')} went to one address that differ in a parameter only`,
    advice:
      'Each thing on the page was fetched by a request of its own. Give the API a way to ask for several at once (a list of ids, or a parent with its children) and make one request. Browsers run only a few of them at the same time, so the last ones wait.',
  },
  performance_consecutive_http: {
    sentence: (count) => `${plural(count, 'request')} waited for each other`,
    advice:
      'Those that do not need the answer of the one before can be sent together and waited for together, for example with Promise.all. What always belongs together may become one request.',
  },
  performance_large_http_payload: {
    sentence: (count) =>
      `${count > 1 ? `${plural(count, 'response')} were` : 'a response was'} larger than it should be`,
    advice:
      'Send a page of the list instead of all of it, and only the fields that are used. Check that the server compresses its answers (gzip, br, zstd). What rarely changes can be cached by the client.',
  },
  performance_render_blocking_asset_span: {
    sentence: () => `a large script or style sheet kept the page from being painted`,
    advice:
      'Load scripts with defer or async, or as modules; split what the first screen does not need from it and load that later. Put the few styles of the first screen into the page, and preload what cannot wait.',
  },
  performance_uncompressed_assets: {
    sentence: (count) => `${count > 1 ? `${plural(count, 'file')} came` : 'a file came'} to the browser uncompressed`,
    advice:
      'Switch on gzip, br or zstd for scripts, style sheets and JSON where they are served, which may be a CDN of its own. Text becomes three to five times smaller.',
  },
  performance_http_overhead: {
    sentence: (count) =>
      `${plural(count, 'request')} waited for a connection, since HTTP/1.1 takes one request each at a time`,
    advice:
      'Serve this host by HTTP/2 or HTTP/3, where all requests share one connection. Until then fewer, larger requests wait less: browsers open only six connections to a host.',
  },
  performance_file_io_main_thread: {
    sentence: (count) => `${plural(count, 'file operation')} held up the main thread`,
    advice:
      'While it waits for the disk the app neither draws nor answers. Move reading and writing to a background thread or queue, and read once what is needed often.',
  },
  performance_db_main_thread: {
    sentence: (count) => `${plural(count, 'query', 'queries')} held up the main thread`,
    advice:
      'While it waits for the database the app neither draws nor answers. Run queries on a background thread or queue, and give the result back to the main thread.',
  },
  query_injection_vulnerability: {
    sentence: () =>
      `a query holds text of the request as it came: the sender of the request may write part of the query`,
    advice:
      'Hand values over as parameters ($1, ?) and never put them into the text of the query. Names of columns that come from a request are to be checked against a list. Until it is mended, treat this as a security problem.',
  },
};

const unknown: ProblemKind = {
  sentence: (count) => `${plural(count, 'span')} took time that could be saved`,
  advice: 'The spans that are marked in the trace are what it is about.',
};

const kindOf = (type: string): ProblemKind => (Object.hasOwn(kinds, type) ? (kinds[type] ?? unknown) : unknown);

/** What is wrong, in one sentence. */
export function problemSentence({ type, offenders, transaction }: ProblemFacts): string {
  const what = kindOf(type).sentence(offenders);
  return `${transaction ? `In ${transaction}, ${what}` : what.charAt(0).toUpperCase() + what.slice(1)}.`;
}

export const problemAdvice = (type: string): string => kindOf(type).advice;

/** Whether a value of the evidence reads as a statement of SQL, so that it is coloured as one. */
export const isSql = (text: string): boolean =>
  /^\s*(?:select|insert|update|delete|with|begin|commit|create|alter|drop|replace|merge)\b/i.test(text.slice(0, 200));
