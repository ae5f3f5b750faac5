/**
 * OTLP over gRPC: unary calls on HTTP/2 without TLS, each of one message. Loaded only where the port is set. What a call
 * carries goes the way of a request to `/v1/…`, and the answer is said again in gRPC's status.
 *
 * A call: headers → five bytes with the length → the message → end of the stream. Whatever breaks this is refused at once.
 */
import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { grpcStatus, type Signal } from '../../base/otlp/index.ts';
import { grpc as texts } from '../../base/texts/ingest.ts';
import type { Answer } from '../answer.ts';
import type { ReceivedBody } from '../exchange.ts';

const signalOf: ReadonlyMap<string, Signal> = new Map([
  ['/opentelemetry.proto.collector.trace.v1.TraceService/Export', 'traces'],
  ['/opentelemetry.proto.collector.logs.v1.LogsService/Export', 'logs'],
  ['/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', 'metrics'],
]);

const encodings = new Set(['identity', 'gzip', 'deflate']);
const prefixBytes = 5;
const maxSessions = 1_000;
const maxStreams = 100;
const maxHeaderBytes = 16 * 1024;
/** Of a message that is on its way, beyond what has been read. */
const windowBytes = 256 * 1024;
/** Exporters keep their connection between batches, which are seconds apart. */
const idleMs = 300_000;
const stopGraceMs = 3_000;

export interface GrpcCall {
  readonly signal: Signal;
  readonly path: string;
  readonly request: ReceivedBody;
  readonly remoteAddress: string;
}

export interface GrpcOptions {
  readonly host: string;
  readonly port: number;
  readonly maxBytes: number;
  readonly timeoutSeconds: number;
  /** Undefined when there is nobody to answer. Never throws. */
  readonly take: (call: GrpcCall) => Promise<Answer | undefined>;
}

export interface GrpcListener extends AsyncDisposable {
  readonly port: number;
}

export async function listenGrpc(options: GrpcOptions): Promise<GrpcListener> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer({
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    settings: {
      maxConcurrentStreams: maxStreams,
      maxHeaderListSize: maxHeaderBytes,
      initialWindowSize: windowBytes,
      enablePush: false,
    },
  });
  server.on('session', (session) => {
    if (sessions.size >= maxSessions) {
      session.destroy();
      return;
    }
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    // Its peer broke the protocol or went away: it is closed by then.
    session.on('error', () => undefined);
    session.setTimeout(idleMs, () => session.close());
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    void serveCall(stream, headers, options).catch(() => stream.destroy());
  });
  await listening(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      const timer = setTimeout(() => {
        for (const session of sessions) session.destroy();
      }, stopGraceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function listening(server: Http2Server, { host, port }: GrpcOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}

async function serveCall(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, options: GrpcOptions): Promise<void> {
  const path = headers[':path'] ?? '';
  if (headers[':method'] !== 'POST' || !headers['content-type']?.startsWith('application/grpc')) {
    stream.respond({ ':status': 415 }, { endStream: true });
    stream.close(constants.NGHTTP2_NO_ERROR);
    return;
  }
  const signal = signalOf.get(path);
  if (!signal) return refuse(stream, unimplemented, texts.method);
  const encoding = headers['grpc-encoding'] ?? 'identity';
  if (typeof encoding !== 'string' || !encodings.has(encoding)) return refuse(stream, unimplemented, texts.encoding);
  const message = new Message(stream, encoding, headers, options.maxBytes);
  const begun = await message.begun(options.timeoutSeconds * 1_000);
  if (begun !== undefined) return refuse(stream, begun.code, begun.text);
  const remoteAddress = stream.session?.socket?.remoteAddress ?? '';
  const answer = await options.take({ signal, path, request: message, remoteAddress });
  if (message.fault) return refuse(stream, message.fault.code, message.fault.text);
  if (!answer) {
    stream.destroy();
    return;
  }
  if (answer.status === 200) {
    reply(stream, Buffer.from(answer.body));
    return;
  }
  const { detail } = JSON.parse(answer.body.toString()) as { detail: string };
  const retryAfter = answer.headers['retry-after'];
  const status = grpcStatus(answer.status, detail, retryAfter === undefined ? undefined : Number(retryAfter));
  refuse(stream, status.code, detail, status.details);
}

const unimplemented = 12;
const invalidArgument = 3;
const deadlineExceeded = 4;
const resourceExhausted = 8;
const internal = 13;

const contentType = 'application/grpc+proto';

function reply(stream: ServerHttp2Stream, body: Buffer): void {
  if (stream.destroyed) return;
  stream.respond({ ':status': 200, 'content-type': contentType }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(body.length, 1);
  stream.end(Buffer.concat([prefix, body]));
}

/** The status stands in the headers, and what is still on its way is not wanted. */
function refuse(stream: ServerHttp2Stream, code: number, text: string, details?: Buffer): void {
  if (stream.destroyed || stream.headersSent) return;
  stream.respond(
    {
      ':status': 200,
      'content-type': contentType,
      'grpc-status': String(code),
      'grpc-message': percentEncoded(text.slice(0, 1_000)),
      ...(code === unimplemented && { 'grpc-accept-encoding': [...encodings].join(',') }),
      ...(details && { 'grpc-status-details-bin': details.toString('base64').replace(/=+$/, '') }),
    },
    { endStream: true },
  );
  stream.close(constants.NGHTTP2_NO_ERROR);
}

/** As gRPC writes messages: bytes beyond printable ASCII, and the percent sign itself. */
function percentEncoded(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\x20-\x24\x26-\x7e]+/gu, (part) =>
      [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    );
}

interface Fault {
  readonly code: number;
  readonly text: string;
}

/** The message of a call, as the body of a request to the endpoint over HTTP. */
class Message extends Readable {
  headers: ReceivedBody['headers'];
  readonly method = 'POST';
  complete = false;
  /** What broke the call while the message was read. */
  fault: Fault | undefined;
  readonly #stream: ServerHttp2Stream;
  readonly #maxBytes: number;
  readonly #encoding: string;
  readonly #begun = Promise.withResolvers<Fault | undefined>();
  #prefix = Buffer.alloc(0);
  #left = -1;

  constructor(stream: ServerHttp2Stream, encoding: string, headers: IncomingHttpHeaders, maxBytes: number) {
    super();
    this.#stream = stream;
    this.#maxBytes = maxBytes;
    this.#encoding = encoding;
    this.headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
    // Whoever reads it is told by `fault`, or by its close.
    this.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => this.#onData(chunk));
    stream.on('end', () => this.#onEnd());
    stream.on('close', () => {
      this.#begun.resolve({ code: invalidArgument, text: texts.truncated });
      if (!this.complete) this.destroy();
    });
  }

  /** Until the length of the message is known; tells what is wrong with it. */
  async begun(timeoutMs: number): Promise<Fault | undefined> {
    const timer = setTimeout(
      () => this.#begun.resolve({ code: deadlineExceeded, text: texts.late(timeoutMs / 1_000) }),
      timeoutMs,
    );
    try {
      return await this.#begun.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  override _read(): void {
    this.#stream.resume();
  }

  #onData(chunk: Buffer): void {
    let rest = chunk;
    if (this.#left < 0) {
      const wanted = prefixBytes - this.#prefix.length;
      this.#prefix = Buffer.concat([this.#prefix, chunk.subarray(0, wanted)]);
      if (this.#prefix.length < prefixBytes || !this.#begin()) return;
      rest = chunk.subarray(wanted);
    }
    if (rest.length === 0) return;
    if (rest.length > this.#left) {
      this.#fail(invalidArgument, texts.oneMessage);
      return;
    }
    this.#left -= rest.length;
    if (!this.push(rest)) this.#stream.pause();
  }

  #begin(): boolean {
    const isCompressed = this.#prefix[0] === 1;
    const length = this.#prefix.readUInt32BE(1);
    this.#left = length;
    if ((this.#prefix[0] ?? 2) > 1) return this.#fail(invalidArgument, texts.prefix);
    if (isCompressed && this.#encoding === 'identity') return this.#fail(internal, texts.encoding);
    if (length > this.#maxBytes) return this.#fail(resourceExhausted, texts.tooLarge(this.#maxBytes));
    this.headers = {
      ...this.headers,
      'content-type': 'application/x-protobuf',
      'content-length': String(length),
      'content-encoding': isCompressed ? this.#encoding : undefined,
    };
    this.#begun.resolve(undefined);
    return true;
  }

  #onEnd(): void {
    if (this.#left !== 0) {
      this.#fail(invalidArgument, texts.truncated);
      return;
    }
    this.complete = true;
    this.push(null);
  }

  #fail(code: number, text: string): false {
    this.fault ??= { code, text };
    this.#begun.resolve(this.fault);
    this.destroy();
    return false;
  }
}
