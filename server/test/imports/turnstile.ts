/** Stands before a tracker, as a proxy does, and lets a test meddle with the requests for single events. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const single = /\/events\/[0-9a-f-]{32,36}\/$/;

export class Turnstile implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: string;
  readonly #meddlings = new Map<number, (response: ServerResponse) => unknown>();
  /** Of single events, since the last call of `reset`. */
  asked = 0;
  /** So many requests are refused for a second. */
  refusals = 0;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((request, response) => void this.#pass(request, response));
  }

  static async before(target: string): Promise<Turnstile> {
    const turnstile = new Turnstile(target);
    turnstile.#server.listen(0, '127.0.0.1');
    await once(turnstile.#server, 'listening');
    return turnstile;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  reset(): void {
    this.asked = 0;
    this.#meddlings.clear();
  }

  /** Runs it before the answer to the n-th request for an event. */
  at(number: number, meddle: (response: ServerResponse) => unknown): void {
    this.#meddlings.set(number, meddle);
  }

  async #pass({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.refusals > 0) {
      this.refusals -= 1;
      response.writeHead(429, { 'retry-after': '1' }).end('{"detail":"Request was throttled."}');
      return;
    }
    if (single.test(url.split('?', 1)[0] ?? '')) await this.#meddlings.get((this.asked += 1))?.(response);
    try {
      const { authorization = '', accept = '' } = headers;
      const answer = await fetch(this.#target + url, { headers: { authorization, accept }, redirect: 'manual' });
      const type = answer.headers.get('content-type') ?? 'application/json';
      response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
    } catch {
      response.writeHead(502).end('Bad Gateway');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
