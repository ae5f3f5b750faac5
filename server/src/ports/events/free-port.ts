import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/** Below the range from which systems give outgoing connections their ports, so that nothing takes it while the engine restarts. */
const lowest = 20_000;
const highest = 32_000;

/** A loopback port on which nothing listens at the moment. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${lowest} and ${highest} on 127.0.0.1`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
