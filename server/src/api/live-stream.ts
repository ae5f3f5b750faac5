/**
 * Server-sent events of what just changed in one organisation.
 *
 * A stream: open → closed by the client, by a full buffer, after an hour (the browser comes back, and its access is
 * checked anew) or when the server stops.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { CodedError } from '../errors.ts';
import type { LiveMessage } from '../live/live.ts';
import type { LiveEvent } from './contract/intake.ts';
import type { Api } from './implement.ts';
import { bulkStateShown } from './shapes/bulk.ts';

const heartbeatMs = 15_000;
const longestMs = 3_600_000;
const retryMs = 2_000;
const maxStreams = 1_000;
/** Who reads slower than this much falls behind gets a new stream instead of an endless buffer. */
const maxBufferedBytes = 1024 * 1024;

interface Stream {
  readonly organizationId: string;
  readonly userId: string;
  readonly raw: ServerResponse;
  readonly until: number;
}

export function createLiveStreams({ app, deps }: Api): {
  open(reader: Pick<Stream, 'organizationId' | 'userId'>, request: FastifyRequest, reply: FastifyReply): Promise<void>;
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

  const publish = async (message: LiveMessage): Promise<void> => {
    if (!streams.size) return;
    if (message.type === 'bulk') {
      const text = `data: ${JSON.stringify(toBulkEvent(message))}\n\n`;
      for (const stream of streams) {
        if (stream.organizationId === message.organizationId && stream.userId === message.userId) write(stream, text);
      }
      return;
    }
    const project = await projectOf(message.projectId);
    if (!project) return;
    const text = `data: ${JSON.stringify(toLiveEvent(message, project.slug))}\n\n`;
    for (const stream of streams) {
      if (stream.organizationId !== project.organizationId) continue;
      // What one waits for is nobody else's business.
      if (message.type === 'digest' && stream.userId !== message.userId) continue;
      write(stream, text);
    }
  };
  // Messages go out in the order in which they came, though the first about a project waits for its name.
  let last: Promise<void> = Promise.resolve();
  const unsubscribe = deps.live.subscribe((message) => {
    last = last
      .then(() => publish(message))
      .catch((error: unknown) => app.log.warn({ err: error }, 'a live message could not be sent'));
  });
  const heartbeat = setInterval(() => {
    const now = Date.now();
    for (const stream of streams) {
      if (now > stream.until) end(stream);
      else write(stream, ': still here\n\n');
    }
  }, heartbeatMs);
  heartbeat.unref();
  // Open streams would keep the server from stopping.
  app.addHook('preClose', async () => {
    unsubscribe();
    clearInterval(heartbeat);
    for (const stream of streams) end(stream);
  });

  return {
    async open(reader, request, reply) {
      if (streams.size >= maxStreams) throw new CodedError('STREAMS_FULL', [maxStreams], { retryAfter: 30 });
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      if (request.method === 'HEAD') {
        raw.end();
        return;
      }
      const stream = { ...reader, raw, until: Date.now() + longestMs };
      streams.add(stream);
      raw.on('error', () => streams.delete(stream));
      raw.on('close', () => streams.delete(stream));
      request.raw.on('error', () => streams.delete(stream));
      write(stream, `retry: ${retryMs}\n\n`);
    },
  };
}

type BulkMessage = Extract<LiveMessage, { type: 'bulk' }>;

const toBulkEvent = ({ id, state, total, done, changed }: BulkMessage): z.output<typeof LiveEvent> => ({
  type: 'bulk',
  id: String(id),
  state: bulkStateShown(state),
  total,
  done,
  changed,
});

function toLiveEvent(message: Exclude<LiveMessage, BulkMessage>, projectSlug: string): z.output<typeof LiveEvent> {
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
