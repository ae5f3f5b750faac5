/**
 * Server-sent events of what just changed in one organisation, as far as its reader sees it.
 *
 * A stream: open → closed by the client, by a full buffer, by too many newer ones of the same person, when what opened
 * it ends (the membership, the session, the token), after an hour or when the server stops.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import type { ShownMessage } from '../../base/live.ts';
import { type Membership, seenFrom } from '../../domains/accounts/index.ts';
import { sees, type Viewer } from '../../domains/projects/index.ts';
import { toHeaders } from '../shared/access.ts';
import { steadyMs } from '../../base/steady.ts';
import { getLive, type LiveEvent } from './contract.ts';
import type { Api } from '../shared/implement.ts';
import { transportHeaders } from '../../base/transport.ts';
import { bulkStateShown } from '../issues/bulk-shapes.ts';

const heartbeatMs = 15_000;
const longestMs = 3_600_000;
const retryMs = 2_000;
/** Of one person; a new one closes the oldest. */
const maxOfPerson = 10;
/** The oldest would take its place back at once, and the next one that of the next. */
const retryOfClosedMs = 300_000;
/** What ended here closes streams at once, what ended elsewhere within this. */
const recheckMs = 3_000;
/** Who reads slower than this much falls behind gets a new stream instead of an endless buffer. */
const maxBufferedBytes = 1024 * 1024;

/** Kept for streams that open late. */
const mostReplayed = 500;
const mostReplayedMs = 10_000;

interface Stream {
  readonly organizationId: string;
  readonly userId: string;
  /** What the caller has shown: the header of a token or the cookies of a session. */
  readonly credentials: Headers;
  /** From where. */
  readonly address: string;
  readonly raw: ServerResponse;
  readonly until: number;
  /** The projects that the reader sees; undefined: all. */
  within: Viewer['within'];
}

type Reader = Pick<Stream, 'organizationId' | 'userId' | 'within'>;

interface Opening {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** What was published in the last so many ms is sent first. */
  readonly lastMs: number;
}

export function createLiveStreams({ app, deps }: Api): {
  open(reader: Reader, opening: Opening): Promise<void>;
} {
  const streams = new Set<Stream>();
  /** Of the projects that messages were about; asked again every now and then, for slugs may change. */
  const projects = new Map<number, { organizationId: string; slug: string; askedAt: number }>();

  const end = (stream: Stream): void => {
    streams.delete(stream);
    stream.raw.end();
  };
  const write = (stream: Stream, text: string): void => {
    if (stream.raw.destroyed || stream.raw.writableLength > maxBufferedBytes) {
      streams.delete(stream);
      stream.raw.destroy();
    } else {
      stream.raw.write(text);
    }
  };

  const projectOf = async (id: number): Promise<{ organizationId: string; slug: string } | undefined> => {
    const known = projects.get(id);
    if (known && Date.now() - known.askedAt < 60_000) return known;
    const row = await deps.state.db
      .selectFrom('project')
      .select(['organization_id', 'slug'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) {
      projects.delete(id);
      return undefined;
    }
    const project = { organizationId: row.organization_id, slug: row.slug, askedAt: Date.now() };
    projects.set(id, project);
    return project;
  };

  /** Closes what has lost its access and narrows what sees less: all that is open, or one person's. Those of one browser are one question. */
  const recheck = async (userId?: string): Promise<void> => {
    const asked = [...streams].filter((stream) => userId === undefined || stream.userId === userId);
    for (const shown of Map.groupBy(asked, ({ credentials, address }) =>
      JSON.stringify([address, ...credentials]),
    ).values()) {
      const allowed = await organizationsOf(shown[0]);
      for (const stream of shown) {
        const membership = allowed.get(stream.organizationId);
        if (membership) stream.within = membership.within;
        else end(stream);
      }
    }
  };
  const organizationsOf = async (stream: Stream | undefined): Promise<ReadonlyMap<string, Membership>> => {
    if (!stream) return new Map();
    try {
      const found = await deps.accounts.identify(stream.credentials, { keepsSession: false });
      if (found?.userId !== stream.userId) return new Map();
      const identity = seenFrom(found, stream.address);
      const may = identity.memberships.filter(({ scopes }) => scopes.includes(getLive.access));
      return new Map(may.map((one) => [one.organizationId, one]));
    } catch (error) {
      if (error instanceof CodedError && error.status === 401) return new Map();
      throw error;
    }
  };

  const publish = async (message: ShownMessage, to: Iterable<Stream> = streams): Promise<void> => {
    if (!streams.size) return;
    if (message.type === 'bulk') {
      const text = `data: ${JSON.stringify(toBulkEvent(message))}\n\n`;
      for (const stream of to) {
        if (stream.organizationId === message.organizationId && stream.userId === message.userId) write(stream, text);
      }
      return;
    }
    const project = await projectOf(message.projectId);
    if (!project) return;
    const text = `data: ${JSON.stringify(toLiveEvent(message, project.slug))}\n\n`;
    for (const stream of to) {
      if (stream.organizationId !== project.organizationId || !sees(stream, message.projectId)) continue;
      // What one waits for is nobody else's business.
      if (message.type === 'digest' && stream.userId !== message.userId) continue;
      write(stream, text);
    }
  };
  /** What was published lately, by `steadyMs`. */
  const recent: { readonly at: number; readonly message: ShownMessage }[] = [];
  const remember = (message: ShownMessage): void => {
    const at = steadyMs();
    // Not what it adds to counts, which may be long.
    recent.push({ at, message: message.type === 'events' ? { ...message, gained: undefined } : message });
    const isOld = ({ at: before }: { at: number }): boolean => at - before > mostReplayedMs;
    while (recent.length > mostReplayed || (recent[0] && isOld(recent[0]))) recent.shift();
  };
  // Messages go out in the order in which they came, though the first about a project waits for its name.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (send: () => Promise<void> | void): void => {
    last = last.then(send).catch((error: unknown) => app.log.warn({ err: error }, 'a live message could not be sent'));
  };
  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type === 'settings') return;
    if (message.type === 'access') return inTurn(() => recheck(message.userId));
    if (message.type === 'missed')
      // They come back by themselves, with their access looked up, and ask again for what they show.
      return inTurn(() => {
        for (const stream of streams) end(stream);
      });
    remember(message);
    inTurn(() => publish(message));
  });
  // One round at a time, however long it takes.
  let isChecking = false;
  const rechecks = setInterval(() => {
    if (isChecking || !streams.size) return;
    isChecking = true;
    recheck()
      .catch((error: unknown) => app.log.warn({ err: error }, 'the subscribers of live streams could not be checked'))
      .finally(() => (isChecking = false));
  }, recheckMs);
  rechecks.unref();
  const heartbeat = setInterval(() => {
    const now = Date.now();
    for (const stream of streams) {
      if (now > stream.until) end(stream);
      else write(stream, ': keep-alive\n\n');
    }
  }, heartbeatMs);
  heartbeat.unref();
  // Open streams would keep the server from stopping.
  app.addHook('preClose', async () => {
    unsubscribe();
    clearInterval(heartbeat);
    clearInterval(rechecks);
    for (const stream of streams) end(stream);
  });

  return {
    async open(reader, { request, reply, lastMs }) {
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
        ...transportHeaders(deps.getUrl()),
      });
      if (request.method === 'HEAD') {
        raw.end();
        return;
      }
      const own = [...streams].filter(({ userId }) => userId === reader.userId);
      for (const oldest of own.slice(0, Math.max(0, own.length - maxOfPerson + 1))) {
        write(oldest, `retry: ${retryOfClosedMs}\n\n`);
        end(oldest);
      }
      const until = Date.now() + longestMs;
      const stream = { ...reader, credentials: credentialsOf(request), address: request.ip, raw, until };
      streams.add(stream);
      raw.on('error', () => streams.delete(stream));
      raw.on('close', () => streams.delete(stream));
      request.raw.on('error', () => streams.delete(stream));
      write(stream, `retry: ${retryMs}\n\n`);
      const from = steadyMs() - lastMs;
      for (const { message } of recent.filter(({ at }) => at > from)) inTurn(() => publish(message, [stream]));
    },
  };
}

function credentialsOf({ headers: { authorization, cookie } }: FastifyRequest): Headers {
  return toHeaders({ ...(authorization !== undefined && { authorization }), ...(cookie !== undefined && { cookie }) });
}

type BulkMessage = Extract<ShownMessage, { type: 'bulk' }>;

const toBulkEvent = ({ id, state, total, done, changed }: BulkMessage): z.output<typeof LiveEvent> => ({
  type: 'bulk',
  id: String(id),
  state: bulkStateShown(state),
  total,
  done,
  changed,
});

function toLiveEvent(message: Exclude<ShownMessage, BulkMessage>, projectSlug: string): z.output<typeof LiveEvent> {
  const project = { projectId: String(message.projectId), projectSlug };
  if (message.type === 'spans') {
    const { count, traceIds, first } = message;
    return { type: 'spans', ...project, count, traceIds: [...traceIds], first };
  }
  const common = { ...project, issueIds: message.issueIds.map(String) };
  if (message.type === 'issues') return { type: 'issues', ...common };
  if (message.type === 'digest') {
    const { watchId, digest, eventId } = message;
    return { type: 'digest', ...common, watchId: String(watchId), digest, eventId };
  }
  const { newIssueIds, count, first } = message;
  return { type: 'events', ...common, newIssueIds: newIssueIds.map(String), count, first };
}
