/** What just changed on any node, for listeners on this one. */
import { z } from 'zod';
import { createLive, type Live, type LiveMessage } from '../../base/live.ts';
import type { Nats } from './connection.ts';
import { openNotes } from './notes.ts';

const id = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const ids = z.array(id).max(50_000);
const word = z.string().max(1_000);

/** What other nodes may say. `gained` is by the clock of one process: others read anew. */
const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('events'),
    projectId: id,
    issueIds: ids,
    newIssueIds: ids,
    count: id,
    first: z.boolean(),
    digests: z.array(word).max(50_000).exactOptional(),
  }),
  z.object({
    type: z.literal('spans'),
    projectId: id,
    count: id,
    traceIds: z.array(word).max(100),
    first: z.boolean(),
  }),
  z.object({ type: z.literal('issues'), projectId: id, issueIds: ids, sameEvents: z.literal(true).exactOptional() }),
  z.object({
    type: z.literal('digest'),
    projectId: id,
    issueIds: ids,
    watchId: id,
    userId: word,
    digest: word,
    eventId: word,
  }),
  z.object({
    type: z.literal('bulk'),
    organizationId: word,
    userId: word,
    id,
    state: z.enum(['collecting', 'running', 'hidden', 'deleting', 'done', 'failed', 'cancelled', 'undoing', 'undone']),
    total: id,
    done: id,
    changed: id,
  }),
  z.object({ type: z.literal('access'), userId: word.exactOptional() }),
  z.object({ type: z.literal('settings') }),
  z.object({ type: z.literal('missed') }),
]) satisfies z.ZodType<LiveMessage>;

export interface SharedLive extends Live, Disposable {}

/** Each message is delivered once on each node, in the order in which a node published them. */
export function createSharedLive(nats: Nats): SharedLive {
  const here = createLive();
  const notes = openNotes(nats, {
    topic: 'live',
    hear(value) {
      const read = message.safeParse(value);
      if (read.success) here.publish(read.data);
    },
    missed: () => here.publish({ type: 'missed' }),
  });
  return {
    publish(told) {
      here.publish(told);
      const forOthers = told.type === 'events' ? { ...told, gained: undefined } : told;
      // What is too large for a note is read anew by whoever wants to know. Without a connection, `missed` comes later.
      if (!notes.tell(forOthers)) notes.tell({ type: 'missed' });
    },
    subscribe: (listener) => here.subscribe(listener),
    [Symbol.dispose]: () => notes[Symbol.dispose](),
  };
}
