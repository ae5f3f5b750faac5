/** An alarm that rings on one node rings on the others, too: the one that runs the job may be any of them. */
import { z } from 'zod';
import type { Job } from '../base/jobs/index.ts';
import type { Nats } from '../ports/nats/connection.ts';
import { openNotes } from '../ports/nats/notes.ts';

/** Of a job that rings all the time, the others hear so often. */
const tellEveryMs = 200;

const heard = z.object({ job: z.string().max(100), afterMs: z.number().min(0).max(86_400_000) });

export function openWake(jobs: readonly Pick<Job, 'name' | 'alarm'>[], nats: Nats): Disposable {
  const alarms = new Map(jobs.flatMap(({ name, alarm }) => (alarm ? [[name, alarm] as const] : [])));
  const waiting = new Map<string, { afterMs: number; readonly timer: NodeJS.Timeout }>();
  /** Of another node: that is not told again. */
  let isTheirs = false;
  const ringHere = (name: string, afterMs: number): void => {
    isTheirs = true;
    try {
      alarms.get(name)?.ring(afterMs);
    } finally {
      isTheirs = false;
    }
  };
  const notes = openNotes(nats, {
    topic: 'jobs',
    hear(value) {
      const { data } = heard.safeParse(value);
      if (data) ringHere(data.job, data.afterMs);
    },
    missed: () => alarms.keys().forEach((name) => ringHere(name, 0)),
  });
  const tell = (name: string, afterMs: number): void => {
    if (isTheirs) return;
    const known = waiting.get(name);
    if (known) {
      known.afterMs = Math.min(known.afterMs, afterMs);
      return;
    }
    notes.tell({ job: name, afterMs });
    const timer = setTimeout(() => {
      const { afterMs: leastMs = Infinity } = waiting.get(name) ?? {};
      waiting.delete(name);
      if (leastMs < Infinity) tell(name, leastMs);
    }, tellEveryMs).unref();
    waiting.set(name, { afterMs: Infinity, timer });
  };
  const stops = [...alarms].map(([name, alarm]) => alarm.listen((afterMs) => tell(name, afterMs)));
  return {
    [Symbol.dispose]() {
      for (const stop of stops) stop();
      for (const { timer } of waiting.values()) clearTimeout(timer);
      notes[Symbol.dispose]();
    },
  };
}
