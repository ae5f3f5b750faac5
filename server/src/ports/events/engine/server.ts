/** ClickHouse's HTTP interface in front of the engine, on loopback. */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Engine, EngineAnswer } from './engine.ts';
import { checkName } from './hold.ts';
import { readInsert, readQuery, RequestError } from './request.ts';

export interface EngineServerOptions {
  readonly username: string;
  readonly password: string;
  readonly maxBodyBytes: number;
}

/** The client may hold a connection this long without using it. */
const keepAliveMs = 30_000;
/** Parameters travel in the URL up to 4 kB, the client sends a form above that; statements of inserts are short. */
const maxHeaderBytes = 256 * 1024;

export function createEngineServer(engine: Engine, options: EngineServerOptions): Server {
  const credentials = digest(`${options.username}:${options.password}`);
  const server = createServer({ keepAliveTimeout: keepAliveMs, maxHeaderSize: maxHeaderBytes }, (request, response) => {
    answer(engine, credentials, options.maxBodyBytes, request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy();
      else sendError(response, error);
    });
  });
  // Bodies of slow inserts may take as long as they need: only the supervising process has the password.
  server.requestTimeout = 0;
  return server;
}

async function answer(
  engine: Engine,
  credentials: Buffer,
  maxBodyBytes: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine');
  if (url.pathname === '/ping') {
    response.end('Ok.\n');
    return;
  }
  if (!isAuthenticated(request, credentials)) {
    throw new RequestError(516, 'AUTHENTICATION_FAILED', 'Authentication failed: user or password is incorrect');
  }
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('The client went away'));
  });
  if (url.pathname === '/check') {
    await engine.check(gone.signal);
    response.end('Ok.\n');
    return;
  }
  if (request.method === 'POST' && (await holding(engine, url))) {
    response.end('Ok.\n');
    return;
  }
  if (url.pathname !== '/' || (request.method !== 'POST' && request.method !== 'GET')) {
    throw new RequestError(48, 'NOT_IMPLEMENTED', 'There is no such resource');
  }
  const body = bodyOf(request, maxBodyBytes);
  const contentType = request.headers['content-type'] ?? '';
  const insert = readInsert(url.searchParams, randomUUID);
  const asked = insert ?? readQuery(url.searchParams, await readWhole(body), contentType, randomUUID);
  const start = process.hrtime.bigint();
  const result = await (asked.kind === 'insert'
    ? engine.insert(asked, body, gone.signal)
    : engine.query(asked, gone.signal));
  response.setHeader('X-ClickHouse-Query-Id', asked.queryId);
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  response.setHeader('X-ClickHouse-Summary', summary(result, process.hrtime.bigint() - start));
  response.end(result.body);
}

/** What backups ask for, which is no part of ClickHouse's interface; false for what is something else. */
async function holding(engine: Engine, { pathname, searchParams }: URL): Promise<boolean> {
  const step = /^\/(hold|freeze|release)$/.exec(pathname)?.[1];
  if (step === undefined) return false;
  const name = checkName(searchParams.get('name') ?? '');
  if (step === 'hold') await engine.hold(name);
  else if (step === 'freeze') await engine.freeze(name);
  else engine.release(name);
  return true;
}

/** As it comes, up to its limit. */
async function* bodyOf(request: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  if (request.headers['content-encoding'] !== undefined) {
    throw new RequestError(48, 'NOT_IMPLEMENTED', 'Compressed requests are not supported');
  }
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new RequestError(307, 'TOO_MANY_BYTES', `The request is larger than ${limit} bytes`);
    yield chunk;
  }
}

async function readWhole(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function isAuthenticated(request: IncomingMessage, credentials: Buffer): boolean {
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? '')?.[1];
  const { 'x-clickhouse-user': user, 'x-clickhouse-key': key } = request.headers;
  const presented =
    basic === undefined ? `${String(user)}:${String(key)}` : Buffer.from(basic, 'base64').toString('utf8');
  return timingSafeEqual(digest(presented), credentials);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function summary(result: EngineAnswer, elapsedNs: bigint): string {
  return JSON.stringify({
    read_rows: String(result.rowsRead),
    read_bytes: String(result.bytesRead),
    written_rows: String(result.rowsWritten),
    written_bytes: String(result.bytesWritten),
    total_rows_to_read: '0',
    result_rows: String(result.rowsWritten),
    result_bytes: String(result.body.length),
    elapsed_ns: String(elapsedNs),
  });
}

/** HTTP status by ClickHouse's error number, as ClickHouse chooses it; 500 for all others. */
const statuses: Readonly<Record<number, number>> = {
  36: 400,
  47: 404,
  48: 501,
  60: 404,
  62: 400,
  73: 400,
  81: 404,
  115: 404,
  159: 408,
  307: 413,
  456: 400,
  457: 400,
  516: 403,
};

function sendError(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const [code, text] =
    error instanceof RequestError
      ? [error.code, `Code: ${error.code}. DB::Exception: ${message}. (${error.type})`]
      : [
          chdbCode(error) ?? 1002,
          message.startsWith('Code: ') ? message : `Code: 1002. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)`,
        ];
  response.writeHead(statuses[code] ?? 500, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(code),
    // Part of the body may not have been read.
    ...(code === 307 ? { Connection: 'close' } : {}),
  });
  response.end(`${text}\n`);
}

function chdbCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('clickhouseCode' in error)) return undefined;
  return typeof error.clickhouseCode === 'number' ? error.clickhouseCode : undefined;
}
