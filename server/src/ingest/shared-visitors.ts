/**
 * Requests that an address makes, counted by all nodes together: each tells the others what it let pass. So an allowance
 * is exceeded by what comes to several nodes within a moment, and that is made up for afterwards. What a node did not hear,
 * it does not count.
 */
import { z } from 'zod';
import type { Nats } from '../ports/nats/connection.ts';
import { openNotes } from '../ports/nats/notes.ts';
import { type CountedVisitors, createVisitors, longestName, type OpenVisitors } from './visitors.ts';

/** What passes in this time is one note. */
const tellEveryMs = 150;
/** Addresses of one note. */
const mostTold = 1_000;

const passes = z.object({
  of: z.string().max(40),
  passed: z.array(z.tuple([z.string().max(longestName), z.int().min(1).max(1_000_000)])).max(mostTold),
});

export interface SharedVisitors extends Disposable {
  readonly open: OpenVisitors;
}

export function openSharedVisitors(nats: Nats): SharedVisitors {
  const counted = new Map<string, CountedVisitors>();
  /** By address, by what they called. */
  const untold = new Map<string, Map<string, number>>();
  let timer: NodeJS.Timeout | undefined;
  const notes = openNotes(nats, {
    topic: 'visitors',
    hear(value) {
      const { data } = passes.safeParse(value);
      const visitors = data && counted.get(data.of);
      if (visitors) for (const [name, requests] of data.passed) visitors.passed(name, requests);
    },
  });

  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [of, passed] of untold) notes.tell({ of, passed: [...passed] });
    untold.clear();
  }

  function note(of: string, name: string): void {
    let passed = untold.get(of);
    if (!passed) untold.set(of, (passed = new Map()));
    passed.set(name, (passed.get(name) ?? 0) + 1);
    if (passed.size >= mostTold) tell();
    else timer ??= setTimeout(tell, tellEveryMs).unref();
  }

  return {
    open(of, allowed) {
      const visitors = createVisitors({ ...allowed, onPass: (name) => note(of, name) });
      counted.set(of, visitors);
      return visitors;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      notes[Symbol.dispose]();
    },
  };
}
