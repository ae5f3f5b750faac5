/**
 * How `culprit move` talks to the running server: lines of JSON on a connection of this machine, opened with a secret that
 * stands in the data directory. The connection is the lease: when it ends before the move is done, however that comes
 * about, the server goes on as before.
 *
 *     running ──freeze──► frozen ──thaw, the connection ends, or it lasts too long──► running
 *                            └────commit──► moved (for good)
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { CodedError, type ErrorCode } from '../../base/errors.ts';
import { move as texts } from '../../base/texts/move.ts';
import { type Moved, movedSchema } from './marks.ts';

export interface ControlAddress {
  readonly port: number;
  readonly secret: string;
}

export interface ControlServer extends AsyncDisposable {
  readonly address: ControlAddress;
}

/** What the server does when it is asked. */
export interface MoveHost {
  /** Resolves once nothing writes to the stores any more, but for what comes into the log. `to`: for people. */
  freeze(to: string): Promise<void>;
  thaw(): void;
  /** Never again with the stores of before. */
  commit(moved: Moved, logUrl: string): Promise<void>;
  /** A move is over, or was given up: the engine is as it was. */
  end(): Promise<void>;
}

const requestSchema = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('begin'), secret: z.string(), version: z.string() }),
  z.object({ ask: z.literal('freeze'), to: z.string(), limitMs: z.number().max(300_000) }),
  z.object({ ask: z.literal('thaw') }),
  z.object({
    ask: z.literal('commit'),
    moved: movedSchema,
    logUrl: z.string(),
  }),
]);
type Request = z.output<typeof requestSchema>;

/** Bytes of who has not shown the secret. */
const longestFirst = 4_096;

/** Listens on this machine alone. */
export async function openControl(
  host: MoveHost,
  { version, onFailure }: { readonly version: string; readonly onFailure: (error: unknown) => void },
): Promise<ControlServer> {
  const secret = randomBytes(32).toString('base64url');
  let current: Socket | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (current) {
      socket.end(`${JSON.stringify({ code: 'MOVE_UNDER_WAY', message: new CodedError('MOVE_UNDER_WAY').message })}\n`);
      return;
    }
    serve(socket, host, { secret, version, onBegin: () => (current = socket) })
      .catch(onFailure)
      .finally(() => {
        socket.destroy();
        if (current === socket) current = undefined;
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return {
    address: { port: address.port, secret },
    async [Symbol.asyncDispose]() {
      current?.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ServeOptions {
  readonly secret: string;
  readonly version: string;
  readonly onBegin: () => void;
}

async function serve(socket: Socket, host: MoveHost, { secret, version, onBegin }: ServeOptions): Promise<void> {
  let state: 'new' | 'running' | 'frozen' | 'moved' = 'new';
  let limit: NodeJS.Timeout | undefined;
  const thaw = (): void => {
    clearTimeout(limit);
    if (state !== 'frozen') return;
    state = 'running';
    host.thaw();
  };
  const answer = async (request: Request): Promise<object> => {
    if (request.ask === 'begin') {
      if (!isSame(request.secret, secret)) throw new CodedError('PERMISSION_DENIED');
      if (request.version !== version) throw new CodedError('MOVE_REFUSED', [texts.otherVersion(version)]);
      onBegin();
      state = 'running';
      return {};
    }
    if (state === 'new') throw new CodedError('PERMISSION_DENIED');
    if (request.ask === 'thaw') thaw();
    else if (request.ask === 'freeze') {
      state = 'frozen';
      limit = setTimeout(thaw, request.limitMs).unref();
      try {
        await host.freeze(request.to);
      } catch (error) {
        thaw();
        throw error;
      }
    } else if (state === 'frozen') {
      clearTimeout(limit);
      state = 'moved';
      await host.commit(request.moved, request.logUrl);
    } else throw new CodedError('MOVE_REFUSED', [texts.thawed]);
    return {};
  };
  let length = 0;
  socket.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > longestFirst && state === 'new') socket.destroy();
  });
  // The other end may be gone while something is done for it.
  socket.once('close', thaw);
  try {
    for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
      const said = await answer(requestSchema.parse(JSON.parse(line))).catch((error: unknown) => ({
        code: error instanceof CodedError ? error.code : 'INTERNAL',
        message: error instanceof Error ? error.message : String(error),
      }));
      if (!socket.writable) break;
      socket.write(`${JSON.stringify(said)}\n`);
      if (state === 'new') break;
    }
  } finally {
    thaw();
    // What was frozen while the connection ended is let go as well.
    if ((state as string) !== 'new') await host.end();
  }
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

export interface Control extends Disposable {
  /** Aborted when the server is gone. */
  readonly signal: AbortSignal;
  freeze(to: string, limitMs: number): Promise<void>;
  thaw(): Promise<void>;
  commit(moved: Moved, logUrl: string): Promise<void>;
}

/** Throws `CodedError('MOVE_REFUSED')` where nobody answers. */
export async function connectControl({ port, secret }: ControlAddress, version: string): Promise<Control> {
  const socket = connect(port, '127.0.0.1');
  const gone = new AbortController();
  const waiting: PromiseWithResolvers<string>[] = [];
  const isGone = (): void => {
    const error = new CodedError('MOVE_REFUSED', [texts.serverGone]);
    gone.abort(error);
    for (const each of waiting.splice(0)) each.reject(error);
  };
  socket.on('error', isGone);
  socket.on('close', isGone);
  createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => waiting.shift()?.resolve(line));
  const ask = async (request: Request): Promise<void> => {
    gone.signal.throwIfAborted();
    const answer = Promise.withResolvers<string>();
    waiting.push(answer);
    socket.write(`${JSON.stringify(request)}\n`);
    const said = JSON.parse(await answer.promise) as { code?: ErrorCode; message?: string };
    if (said.code === undefined) return;
    const error = new CodedError(said.code, []);
    error.message = said.message ?? '';
    throw error;
  };
  await ask({ ask: 'begin', secret, version });
  return {
    signal: gone.signal,
    freeze: (to, limitMs) => ask({ ask: 'freeze', to, limitMs }),
    thaw: () => ask({ ask: 'thaw' }),
    commit: (moved, logUrl) => ask({ ask: 'commit', moved, logUrl }),
    [Symbol.dispose]() {
      socket.destroy();
    },
  };
}
