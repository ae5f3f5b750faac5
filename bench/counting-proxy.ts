/** An HTTP proxy on 127.0.0.1 that counts what goes through it. Heads go on as they came, so that signatures hold. */
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { pipeline } from 'node:stream';

export interface Counts {
  readonly requests: number;
  readonly puts: number;
  /** Of the bodies of puts. */
  readonly putBytes: number;
}

export interface CountingProxy extends AsyncDisposable {
  readonly port: number;
  counts(): Counts;
}

export async function startCountingProxy(target: number): Promise<CountingProxy> {
  let counted: Counts = { requests: 0, puts: 0, putBytes: 0 };
  const agent = new Agent({ keepAlive: true });
  const server = createServer({ requestTimeout: 0 }, (incoming, answer) => {
    const { method = 'GET', url: path, rawHeaders: headers } = incoming;
    const isPut = method === 'PUT';
    counted = { ...counted, requests: counted.requests + 1, puts: counted.puts + Number(isPut) };
    if (isPut)
      incoming.on('data', (piece: Buffer) => (counted = { ...counted, putBytes: counted.putBytes + piece.length }));
    const sent = request({ host: '127.0.0.1', port: target, agent, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
      pipeline(answered, answer, () => undefined);
    });
    sent.on('error', () => answer.destroy());
    pipeline(incoming, sent, () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    counts: () => counted,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}
