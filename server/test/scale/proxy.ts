/** A TCP proxy on 127.0.0.1: shares connections out in turn, and can be cut, stand still or be slow. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Ends all connections, and each new one at once. */
  cut(): void;
  /** Connections stand still: nothing goes either way, and nobody is told. */
  hang(): void;
  /** Each piece takes so much longer, ms. */
  slow(ms: number): void;
  heal(): void;
}

/** `targets`: ports of this machine; one on which nobody listens is passed over. */
export async function startProxy(targets: () => readonly number[]): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let mode: 'open' | 'cut' | 'hanging' = 'open';
  let slowMs = 0;
  let healed = Promise.withResolvers<void>();
  let turn = 0;

  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };

  async function forward(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from) {
        if (slowMs > 0) await delay(slowMs);
        if (mode === 'hanging') await healed.promise;
        if (to.destroyed) break;
        if (!to.write(piece as Buffer)) await once(to, 'drain');
      }
      to.end();
    } catch {
      to.destroy();
    }
  }

  async function open(port: number): Promise<Socket | undefined> {
    const socket = keep(connect({ host: '127.0.0.1', port }));
    return Promise.race([
      once(socket, 'connect').then(
        () => socket,
        () => undefined,
      ),
      once(socket, 'close').then(() => undefined),
    ]);
  }

  async function serve(client: Socket): Promise<void> {
    if (mode === 'hanging') await healed.promise;
    const ports = targets();
    for (let tried = 0; tried < ports.length; tried++) {
      const port = ports[turn++ % ports.length];
      const target = port === undefined || client.destroyed ? undefined : await open(port);
      if (!target) continue;
      client.on('close', () => target.destroy());
      target.on('close', () => client.destroySoon());
      await Promise.all([forward(client, target), forward(target, client)]);
      return;
    }
    client.destroy();
  }

  const server = createServer((client) => {
    keep(client);
    if (mode === 'cut') client.destroy();
    else void serve(client).catch(() => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      mode = 'cut';
      drop();
    },
    hang() {
      mode = 'hanging';
    },
    slow(ms) {
      slowMs = ms;
    },
    heal() {
      mode = 'open';
      slowMs = 0;
      healed.resolve();
      healed = Promise.withResolvers();
    },
    async [Symbol.asyncDispose]() {
      healed.resolve();
      const closed = once(server, 'close');
      server.close();
      drop();
      await closed;
    },
  };
}
