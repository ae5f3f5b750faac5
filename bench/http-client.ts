/** A small client for the API and the engine: one keep-alive agent, times of whole answers. Only for 127.0.0.1. */
import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** From the call to the last byte. */
  readonly durationMs: number;
}

export interface HttpClient {
  get(path: string): Promise<Answer>;
  post(path: string, body: string, more?: Readonly<Record<string, string>>): Promise<Answer>;
  close(): void;
}

const timeoutMs = 30_000;

/** `base` such as `http://127.0.0.1:7420`; `headers` go with every request. */
export function createHttpClient(
  base: string,
  headers: Readonly<Record<string, string>> = {},
  slowestMs = timeoutMs,
): HttpClient {
  const { hostname, port } = new URL(base);
  if (hostname !== '127.0.0.1') throw new Error(`benchmarks talk to 127.0.0.1 only, not to ${hostname}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const call = (
    method: string,
    path: string,
    body?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const sending = request(
        { hostname, port, path, method, headers: { ...headers, ...more }, agent, timeout: slowestMs },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString('utf8'),
              durationMs: performance.now() - started,
            }),
          );
        },
      );
      sending.on('error', reject);
      sending.on('timeout', () => sending.destroy(new Error(`no answer from ${path} in ${slowestMs} ms`)));
      sending.end(body);
    });
  return {
    get: (path) => call('GET', path),
    post: (path, body, more) => call('POST', path, body, more),
    close: () => agent.destroy(),
  };
}
