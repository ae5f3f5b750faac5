/**
 * The balancer of docs/guides/scale.md, before the nodes of a test: paths lead to roles, nodes of a role take turns, and
 * one that is gone is passed over. Nothing is held back in it.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

export type BalancedRole = 'intake' | 'api';

export interface BalancerOptions {
  readonly port: number;
  /** Ports of this machine. */
  readonly nodes: Readonly<Record<BalancedRole, readonly number[]>>;
}

/** The longest one counts. */
const roleOf: readonly (readonly [path: string, role: BalancedRole])[] = [
  ['/api/auth/', 'api'],
  ['/monitoring', 'intake'],
  ['/api/0/', 'api'],
  ['/api/', 'intake'],
  ['/v1/', 'intake'],
  ['/', 'api'],
];

/** Between two neighbours alone: each connection has its own. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'expect']);

const badGateway =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n';

export async function startBalancer({ port, nodes }: BalancerOptions): Promise<AsyncDisposable> {
  const turns = { intake: 0, api: 0 };

  async function forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    const role = roleOf.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'api';
    const socket = await openTo(nodes[role], turns[role]++);
    if (!socket) {
      incoming.resume();
      answer.writeHead(502, { 'content-type': 'text/html' }).end(badGateway);
      return;
    }
    answer.on('close', () => socket.destroy());
    if (answer.destroyed) return;
    const onward = request({
      createConnection: () => socket,
      method: incoming.method,
      path,
      headers: forwardedHeaders(incoming),
    });
    onward.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, withoutConnection(response.rawHeaders));
      // What waits for more would wait for its head too.
      answer.flushHeaders();
      response.on('error', () => answer.destroy());
      response.pipe(answer);
    });
    // Whoever refuses a body answers before it has come, and closes.
    onward.on('error', () => {
      if (!answer.headersSent) answer.destroy();
    });
    incoming.pipe(onward);
  }

  // Culprit has limits of its own.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 }, (incoming, answer) => {
    forward(incoming, answer).catch(() => answer.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A connection to the one whose turn it is, or to the next that is there. */
async function openTo(ports: readonly number[], turn: number): Promise<Socket | undefined> {
  for (let tried = 0; tried < ports.length; tried++) {
    const socket = connect({ host: '127.0.0.1', port: ports[(turn + tried) % ports.length] ?? 0, noDelay: true });
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isThere) return socket;
  }
  return undefined;
}

function withoutConnection(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2);
    if (!ofConnection.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** Who asks is added to what they say of whom they ask for: nodes trust this machine, as a server without nodes does. */
function forwardedHeaders({ rawHeaders, headers, socket }: IncomingMessage): string[] {
  const own = withoutConnection(rawHeaders);
  const before = headers['x-forwarded-for'];
  const kept: string[] = [];
  for (let index = 0; index < own.length; index += 2) {
    const [name = '', value = ''] = own.slice(index, index + 2);
    if (name.toLowerCase() !== 'x-forwarded-for') kept.push(name, value);
  }
  kept.push('X-Forwarded-For', `${before ? `${String(before)}, ` : ''}${socket.remoteAddress ?? ''}`);
  if (headers['x-forwarded-proto'] === undefined) kept.push('X-Forwarded-Proto', 'http');
  return [...kept, 'Connection', 'close'];
}
