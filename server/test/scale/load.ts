/** Load on a cluster through a balancer: events with ids of their own, new issues as it goes, and what became of each. */
import { setTimeout as pause } from 'node:timers/promises';
import { errorEnvelope, newEventId } from '../harness.ts';

export interface Load {
  /** Ids that were answered with 200. */
  readonly acknowledged: ReadonlySet<string>;
  /** Ids whose request broke: nobody can say what became of them. */
  readonly unknown: ReadonlySet<string>;
  /** Why those broke. */
  readonly failures: readonly string[];
  /** Ids that were answered with 503: of one that was under way as NATS went away, nobody can say either. */
  readonly refused: ReadonlySet<string>;
  /** What answers there were, by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Answers of 503 without `Retry-After`. */
  readonly withoutRetryAfter: number;
  /** Issues of which an event was acknowledged. */
  readonly bugs: ReadonlySet<string>;
  /** How many send, each one request after the other. */
  readonly connections: number;
  /** The longest that an answer of 200 took, ms; from then on anew. */
  takeLongestMs(): number;
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly connections: number;
  /** After each event, ms. */
  readonly pauseMs: number;
  /** An event with a new issue each time so many were sent. */
  readonly eventsPerBug: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Longer than any store may keep a request waiting. */
const patienceMs = 60_000;

/** In letters, since numbers in what is told do not make another issue. */
const nameOf = (number: number): string =>
  `Bug${Array.from(String(number), (digit) => String.fromCodePoint(65 + Number(digit))).join('')}`;

export function startLoad(url: string, { connections, pauseMs, eventsPerBug, headers = {} }: LoadOptions): Load {
  const acknowledged = new Set<string>();
  const unknown = new Set<string>();
  const refused = new Set<string>();
  const failures: string[] = [];
  const statuses = new Map<number, number>();
  const bugs = new Set<string>();
  const end = new AbortController();
  let sent = 0;
  let withoutRetryAfter = 0;
  let longestMs = 0;

  async function sendOne(): Promise<void> {
    const id = newEventId();
    const count = sent++;
    // Mostly of issues that are known, and of the newest where one is due.
    const newest = Math.floor(count / eventsPerBug);
    const bug = nameOf(count % eventsPerBug === 0 ? newest : Math.floor(Math.random() * (newest + 1)));
    const began = performance.now();
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: errorEnvelope(id, {
          exception: { values: [{ type: bug, value: 'of a test' }] },
        }),
        signal: AbortSignal.timeout(patienceMs),
      });
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 503) refused.add(id);
      if (response.status === 503 && !response.headers.has('retry-after')) withoutRetryAfter++;
      if (response.status === 200) {
        acknowledged.add(id);
        bugs.add(bug);
        longestMs = Math.max(longestMs, performance.now() - began);
      }
      await response.arrayBuffer();
    } catch (error) {
      if (!acknowledged.has(id)) unknown.add(id);
      failures.push(`${new Date().toISOString()} ${String(error instanceof Error ? (error.cause ?? error) : error)}`);
    }
  }

  const senders = Array.from({ length: connections }, async () => {
    while (!end.signal.aborted) {
      await sendOne();
      await pause(pauseMs);
    }
  });
  return {
    acknowledged,
    unknown,
    refused,
    failures,
    statuses,
    get withoutRetryAfter() {
      return withoutRetryAfter;
    },
    bugs,
    connections,
    takeLongestMs() {
      const taken = longestMs;
      longestMs = 0;
      return taken;
    },
    async stop() {
      end.abort();
      await Promise.all(senders);
    },
  };
}
