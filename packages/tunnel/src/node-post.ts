/** Posts by Node's own client, which costs half of what `fetch` does. */
import * as http from 'node:http';
import * as https from 'node:https';

/** So many envelopes are on their way to a monitor at once; the others wait. */
const options = { keepAlive: true, maxSockets: 128 };
const plain = new http.Agent(options);
const secure = new https.Agent(options);

/** Resolves to the answer when it has come whole, without its body. Rejects after the time, connecting included. */
export function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array<ArrayBuffer>,
  timeoutMs: number,
): Promise<http.IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const attempt = (): void => {
      const request = (isSecure ? https : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
        agent: isSecure ? secure : plain,
      });
      cut = () => request.destroy(new Error(`the monitor took longer than ${timeoutMs} ms`));
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The monitor closed a connection that was kept open, just when we took it.
        if (request.reusedSocket && error.code === 'ECONNRESET') attempt();
        else finish(() => reject(error));
      });
      request.on('response', (response) => {
        response.on('data', () => {}).on('error', (error) => finish(() => reject(error)));
        response.on('end', () => finish(() => resolve(response)));
      });
      request.end(body);
    };
    let cut: () => void;
    const timer = setTimeout(() => cut(), timeoutMs);
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    attempt();
  });
}
