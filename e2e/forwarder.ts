/** Stands before a server under test: counts what is asked, and holds answers back until the test lets them go. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../server/test/harness.ts';

export interface Arrival {
  readonly path: string;
  state: 'held' | 'forwarded' | 'answered' | 'aborted';
}

export class Forwarder implements AsyncDisposable {
  readonly url: string;
  readonly arrivals: Arrival[] = [];
  /** Requests whose path this matches wait for `release`. */
  holds: RegExp | undefined;
  /** Most requests at once that `holds` matched, since `reset`. */
  most = 0;
  readonly #held = new Map<Arrival, () => void>();
  readonly #open = new Set<Arrival>();
  readonly #server;
  #target: string;

  private constructor(port: number, target: string) {
    this.url = `http://127.0.0.1:${port}`;
    this.#target = target;
    this.#server = createServer((incoming, answer) => this.#take(incoming, answer)).listen(port, '127.0.0.1');
  }

  /** `start` begins the server behind, which is told the address that its users see. */
  static async create<S extends { readonly url: string }>(
    start: (url: string) => Promise<S>,
  ): Promise<{ forwarder: Forwarder; server: S }> {
    const port = await freePort();
    const server = await start(`http://127.0.0.1:${port}`);
    return { forwarder: new Forwarder(port, server.url), server };
  }

  get held(): Arrival[] {
    return [...this.#held.keys()];
  }

  /** How often a path was asked since `reset`. */
  count(path: RegExp): number {
    return this.arrivals.filter((arrival) => path.test(arrival.path)).length;
  }

  /** Lets held requests go on: the oldest `count`, or all. */
  release(count = Infinity): void {
    for (const [arrival, go] of [...this.#held].slice(0, count)) {
      this.#held.delete(arrival);
      go();
    }
  }

  reset(): void {
    this.holds = undefined;
    this.release();
    this.arrivals.length = 0;
    this.most = 0;
  }

  #take(incoming: IncomingMessage, answer: ServerResponse): void {
    const arrival: Arrival = { path: incoming.url ?? '/', state: 'forwarded' };
    this.arrivals.push(arrival);
    answer.on('close', () => {
      this.#held.delete(arrival);
      this.#open.delete(arrival);
      arrival.state = answer.writableFinished ? 'answered' : 'aborted';
    });
    const forward = (): void => {
      if (arrival.state === 'aborted') return;
      arrival.state = 'forwarded';
      const { method, headers } = incoming;
      const onward = request(this.#target + arrival.path, { method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      answer.on('close', () => onward.destroy());
      incoming.pipe(onward);
    };
    if (!this.holds?.test(arrival.path)) return forward();
    arrival.state = 'held';
    this.#open.add(arrival);
    this.most = Math.max(this.most, this.#open.size);
    this.#held.set(arrival, forward);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
