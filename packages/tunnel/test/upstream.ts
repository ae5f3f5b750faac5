/** A monitor that notes what reaches it and answers as it is told. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';

export interface Noted {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body never ends. */
  readonly stalls?: boolean;
}

export interface Upstream extends Listening {
  readonly noted: Noted[];
  readonly dsn: string;
  /** Undefined: no answer at all. */
  answer: Answer | undefined;
}

export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function openUpstream(): Promise<Upstream> {
  const noted: Noted[] = [];
  const listening = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      noted.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      if (!upstream.answer) return;
      const { status, headers, body, stalls } = upstream.answer;
      response.writeHead(status, headers);
      if (stalls) response.write('{');
      else response.end(body);
    });
  });
  const upstream: Upstream = {
    ...listening,
    noted,
    dsn: listening.url.replace('://', `://${'a'.repeat(32)}@`).concat('/1'),
    answer: { status: 200, headers: { 'content-type': 'application/json', 'set-cookie': 'x=1' }, body: '{"id":"1"}' },
  };
  return upstream;
}
