/** For tests: a server that stands for the other side of a mirror, and what reached it. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface Seen {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Receiver extends AsyncDisposable {
  readonly seen: Seen[];
  readonly host: string;
  /** Decides each answer; 200 unless set. */
  reply: (request: Seen) => Reply | Promise<Reply>;
  /** Refuses connections until it is opened again. */
  close(): Promise<void>;
  open(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const seen: Seen[] = [];
  const make = () =>
    createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const one = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces) };
        seen.push(one);
        void answer(one, response);
      });
    });
  const answer = async (one: Seen, response: ServerResponse): Promise<void> => {
    const { status, body = '{}', headers = {} } = await receiver.reply(one);
    response.writeHead(status, headers).end(body);
  };
  let server = make();
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    seen,
    host: `127.0.0.1:${port}`,
    reply: () => ({ status: 200 }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async open() {
      server = make();
      await listen(port);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

/** The envelope's header and its first payload. */
export function readSeen({ headers, body }: Seen): { header: Record<string, unknown>; rest: string } {
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  const end = text.indexOf('\n');
  return { header: JSON.parse(text.slice(0, end)) as Record<string, unknown>, rest: text.slice(end + 1) };
}
