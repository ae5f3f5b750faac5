/** The server's own inspector, on the loopback interface: profiles of its threads, and what it asks the engine. */
import { readFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import type { Profiler } from 'node:inspector';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';

/**
 * How a server is started that `openInspector` can reach. As in tests it does not collect its whole heap some seconds
 * after a burst, which would fall upon whatever is measured then.
 */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0', NODE_ENV: 'test' } as const;

/** A request to the engine, as it was sent. */
export interface Statement {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

export interface Inspector {
  /** Of the main thread and of the one processing thread that a machine of two cores has. */
  profile<T>(work: () => Promise<T>): Promise<{ result: T; main: Profiler.Profile; processing: Profiler.Profile }>;
  statements(work: () => Promise<void>): Promise<readonly Statement[]>;
  /** Before the server is stopped, which waits for it otherwise. */
  close(): void;
}

type Params = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Channel {
  post<T>(method: string, params?: Params): Promise<T>;
  hear(message: Message): void;
}

/** Each sample interrupts the thread: five times as many make its work a third dearer. */
const samplingUs = 1000;

export async function openInspector(dataDir: string): Promise<Inspector> {
  const url = [...readFileSync(`${dataDir}.log`, 'utf8').matchAll(/ws:\/\/127\.0\.0\.1:\S+/g)].at(-1)?.[0];
  if (url === undefined) throw new Error('the server was started without its inspector');
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')));
  });
  const main = createChannel((message) => socket.send(message));
  const attached = Promise.withResolvers<Channel>();
  const sessions = new Map<unknown, Channel>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    const { method, params: { sessionId, workerInfo, message: inner } = {} } = message;
    if (method === 'NodeWorker.attachedToWorker') {
      if (!(workerInfo as { title: string }).title.endsWith('processing')) return;
      const channel = createChannel(
        (text) => void main.post('NodeWorker.sendMessageToWorker', { sessionId, message: text }),
      );
      sessions.set(sessionId, channel);
      attached.resolve(channel);
    } else if (method === 'NodeWorker.receivedMessageFromWorker') {
      sessions.get(sessionId)?.hear(JSON.parse(String(inner)) as Message);
    } else main.hear(message);
  });
  await main.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  const threads = [main, await attached.promise] as const;
  for (const thread of threads) {
    await thread.post('Profiler.enable');
    await thread.post('Profiler.setSamplingInterval', { interval: samplingUs });
  }
  return {
    async profile(work) {
      for (const thread of threads) await thread.post('Profiler.start');
      const result = await work();
      const [ofMain, ofProcessing] = await Promise.all(
        threads.map((thread) => thread.post<{ profile: Profiler.Profile }>('Profiler.stop')),
      );
      if (!ofMain || !ofProcessing) throw new Error('a thread gave no profile');
      return { result, main: original(ofMain.profile), processing: original(ofProcessing.profile) };
    },
    async statements(work) {
      await evaluate(main, `(${noteRequests.toString()})()`);
      await work();
      return JSON.parse(await evaluate(main, 'globalThis.endNotes()')) as Statement[];
    },
    close: () => socket.close(),
  };
}

function createChannel(send: (message: string) => void): Channel {
  const waiting = new Map<number, (message: Message) => void>();
  let last = 0;
  return {
    post<T>(method: string, params: Params = {}) {
      return new Promise<T>((resolve, reject) => {
        const id = ++last;
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result as T);
        });
        send(JSON.stringify({ id, method, params }));
      });
    },
    hear: (message) => waiting.get(message.id ?? 0)?.(message),
  };
}

async function evaluate(channel: Channel, expression: string): Promise<string> {
  const { result, exceptionDetails } = await channel.post<{ result: { value?: string }; exceptionDetails?: unknown }>(
    'Runtime.evaluate',
    { expression, returnByValue: true },
  );
  if (exceptionDetails) throw new Error(`the server could not evaluate: ${JSON.stringify(exceptionDetails)}`);
  return result.value ?? '';
}

/** Runs in the server, alone: keeps what is written to the engine until `endNotes` is called. */
function noteRequests(): void {
  const { channel } = process.getBuiltinModule('node:diagnostics_channel');
  const created = channel('http.client.request.created');
  const notes: { request: ClientRequest; body: string }[] = [];
  const listen = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    const note = { request, body: '' };
    notes.push(note);
    for (const name of ['write', 'end'] as const) {
      const before = request[name].bind(request) as (...args: unknown[]) => never;
      Object.assign(request, {
        [name](...args: unknown[]): unknown {
          const [chunk] = args;
          if (typeof chunk === 'string') note.body += chunk;
          else if (chunk instanceof Uint8Array) note.body += Buffer.from(chunk).toString('utf8');
          return before(...args);
        },
      });
    }
  };
  created.subscribe(listen);
  Object.assign(globalThis, {
    endNotes() {
      created.unsubscribe(listen);
      return JSON.stringify(
        notes.map(({ request, body }) => ({ path: request.path, type: request.getHeader('content-type') ?? '', body })),
      );
    },
  });
}

/** With the files of the source in place of those of the bundle. */
function original(profile: Profiler.Profile): Profiler.Profile {
  const maps = new Map<string, TraceMap | undefined>();
  const mapOf = (url: string): TraceMap | undefined => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  const nodes = profile.nodes.map((node) => {
    const { url, lineNumber, columnNumber } = node.callFrame;
    const map = mapOf(url);
    if (!map) return node;
    const { source } = originalPositionFor(map, { line: lineNumber + 1, column: columnNumber });
    return { ...node, callFrame: { ...node.callFrame, url: source ?? '' } };
  });
  return { ...profile, nodes };
}

function readMap(url: string): TraceMap | undefined {
  if (!url.startsWith('file:')) return undefined;
  try {
    return new TraceMap(readFileSync(new URL(`${url}.map`), 'utf8'), `${url}.map`);
  } catch {
    // It is no part of the bundle.
    return undefined;
  }
}
