/**
 * Connections that are kept between calls to one place, for who calls it all the time. Each is made as that of a single
 * call: its address is resolved, checked, and the very one that is connected to; and none lives for long, so that a
 * name that comes to mean something else is looked up again.
 */
import { Agent, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import { type OutboundOptions, outboundDefaults } from './call.ts';
import { parseAllowList } from './allow-list.ts';
import { connect } from './connect.ts';
import { exchange, type OutboundAnswer } from './exchange.ts';
import { lookupSystem, readTarget, resolveTarget } from './target.ts';

export interface KeptCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Kept extends Disposable {
  /** POST. No redirect is followed. Throws `OutboundError` with the stage that it reached. */
  send(call: KeptCall, signal: AbortSignal): Promise<OutboundAnswer>;
}

export interface KeptOptions extends Pick<OutboundOptions, 'allow' | 'lookup' | 'connectMs' | 'totalMs' | 'authority'> {
  readonly maxConnections: number;
}

/** Servers close what is idle after five seconds and more; what is sent at that moment is lost. */
const idleMs = 3_000;
const longestMs = 60_000;

/** To the origin of `place`, and to no other. */
export function keepConnections(place: string, { maxConnections, ...options }: KeptOptions): Kept {
  const { origin } = readTarget(place).url;
  const { connectMs, totalMs, maxAnswerBytes } = { ...outboundDefaults, ...options };
  const allow = options.allow ?? parseAllowList('');
  const lookup = options.lookup ?? lookupSystem;
  const { authority } = options;
  const born = new WeakMap<Duplex, number>();

  const open = async (): Promise<Duplex> => {
    const target = await resolveTarget(origin, { allow, lookup });
    const socket = await connect(target, { allow, timeoutMs: connectMs, authority });
    born.set(socket, performance.now());
    return socket;
  };

  class PinnedAgent extends Agent {
    override createConnection(_: ClientRequestArgs, made?: (error: Error | null, stream: Duplex) => void): undefined {
      open().then(
        (socket) => made?.(null, socket),
        (error: unknown) => made?.(error as Error, undefined as never),
      );
      return undefined;
    }

    // Node asks it of each connection that is free again.
    override keepSocketAlive(socket: Duplex): boolean {
      const isYoung = performance.now() - (born.get(socket) ?? 0) < longestMs;
      return isYoung && (super.keepSocketAlive(socket) as unknown) !== false;
    }
  }
  const agent = new PinnedAgent({ keepAlive: true, maxSockets: maxConnections, timeout: idleMs });

  return {
    async send({ url, headers, body }, signal) {
      const target = readTarget(url);
      if (target.url.origin !== origin) throw new RangeError(`${target.url.origin} is not ${origin}`);
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
      const request = { method: 'POST', url: target.url, headers, body } as const;
      return exchange(request, { agent }, { signal: deadline, totalMs, maxAnswerBytes });
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
