/**
 * One process of the tunnel's measurement: the sink that stands for a monitor, the tunnel before it, or the plain proxy
 * that does the least one can do: hands bytes on, looks at nothing, bounds nothing.
 */
import { Agent, createServer, type RequestListener, request as send } from 'node:http';
import { parseArgs } from 'node:util';
import { tunnel } from '../packages/tunnel/src/node.ts';

export type Part = 'sink' | 'proxy' | 'tunnel';

const { values } = parseArgs({
  options: { part: { type: 'string' }, upstream: { type: 'string', default: 'http://127.0.0.1' } },
});

const sink: RequestListener = (request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 });
    response.end('{}');
  });
};

function proxy(upstream: string): RequestListener {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(upstream);
  return (request, response) => {
    const options = { agent, hostname, port, path: '/api/1/envelope/', method: 'POST', headers: request.headers };
    const onward = send(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };
}

function tunnelTo(upstream: string): RequestListener {
  const takes = tunnel({ dsns: [upstream.replace('://', '://0123456789abcdef0123456789abcdef@').concat('/1')] });
  return (request, response) => {
    if (!takes(request, response)) response.writeHead(404).end();
  };
}

const listeners: Readonly<Record<Part, (upstream: string) => RequestListener>> = {
  sink: () => sink,
  proxy,
  tunnel: tunnelTo,
};
if (values.part !== 'sink' && values.part !== 'proxy' && values.part !== 'tunnel') {
  console.error('usage: node bench/tunnel-part.ts --part sink|proxy|tunnel [--upstream http://127.0.0.1:PORT]');
  process.exit(2);
}
const server = createServer(listeners[values.part](values.upstream));
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server does not listen');
  process.stdout.write(`${JSON.stringify({ port: address.port })}\n`);
});
