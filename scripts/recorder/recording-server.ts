/** An HTTP server that keeps everything an SDK or an exporter sends, and serves the pages that send. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

export interface Recorded {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Decompressed. */
  readonly body: Uint8Array;
}

export interface StaticFile {
  readonly type: string;
  readonly body: string | Uint8Array;
}

export interface RecordingServer extends AsyncDisposable {
  readonly port: number;
  /** Requests since the last `take`, in order of arrival. */
  take(): Recorded[];
  /** Resolves once nothing has arrived for `quietMs`. */
  quiet(quietMs: number): Promise<void>;
}

/** Envelopes, and what came before them. */
const ofSdk = /^\/api\/\d+\/(?:envelope|store)\/(?:\?|$)/;
const ofOtlp = /^\/v1\/(?:traces|logs|metrics)$/;

/** What SDKs send is taken at `/api/<project>/…/`, OTLP at `/v1/…`; `files` by path; all else is a 404. */
export async function openRecordingServer(files: ReadonlyMap<string, StaticFile>): Promise<RecordingServer> {
  let recorded: Recorded[] = [];
  let lastArrival = Date.now();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (request.method === 'POST' && (ofSdk.test(path) || ofOtlp.test(path))) {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      lastArrival = Date.now();
      const encoding = request.headers['content-encoding'];
      recorded.push({
        method: 'POST',
        path,
        headers: headerPairs(request),
        body: decompress(Buffer.concat(chunks), encoding),
      });
      const type = request.headers['content-type'];
      // Protobuf has an empty answer; an SDK reads JSON.
      if (type === 'application/x-protobuf') response.setHeader('content-type', type).end();
      else response.setHeader('content-type', 'application/json').end('{}');
      return;
    }
    const file = files.get(path.split('?', 1)[0] ?? '/');
    if (file) response.setHeader('content-type', file.type).end(file.body);
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  }

  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the recording server has no port');
  return {
    port: address.port,
    take() {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    async quiet(quietMs) {
      const from = Date.now();
      while (Date.now() - Math.max(from, lastArrival) < quietMs) await new Promise((done) => setTimeout(done, 25));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function headerPairs(request: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    pairs.push([(request.rawHeaders[at] ?? '').toLowerCase(), request.rawHeaders[at + 1] ?? '']);
  }
  return pairs;
}

function decompress(body: Buffer, encoding: string | undefined): Buffer {
  if (!encoding || encoding === 'identity') return body;
  if (encoding === 'gzip') return gunzipSync(body);
  if (encoding === 'deflate') return inflateSync(body);
  if (encoding === 'br') return brotliDecompressSync(body);
  if (encoding === 'zstd') return zstdDecompressSync(body);
  throw new Error(`the SDK compressed with ${encoding}`);
}
