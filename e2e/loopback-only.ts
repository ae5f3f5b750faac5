/**
 * Loaded before a client of Sentry (`--import`): whatever it looks up or connects to that is not 127.0.0.1 is refused, and
 * written down in the file that the test names.
 */
import { appendFileSync } from 'node:fs';
import dns from 'node:dns';
import net from 'node:net';

const file = process.env['CULPRIT_TEST_OUTSIDE'] ?? '';
const here = new Set(['127.0.0.1', '::ffff:127.0.0.1']);

function refuse(what: string): never {
  if (file) appendFileSync(file, `${what}\n`);
  throw new Error(`${what}: only 127.0.0.1 may be called here`);
}

const patch = (target: object, name: string, guard: (args: readonly unknown[]) => void): void => {
  const original = Reflect.get(target, name) as ((...args: unknown[]) => unknown) | undefined;
  if (!original) return;
  Reflect.set(target, name, function guarded(this: unknown, ...args: unknown[]) {
    guard(args);
    return original.apply(this, args);
  });
};

const named = ([host]: readonly unknown[]): void => {
  if (typeof host === 'string' && !here.has(host)) refuse(`looks up ${host}`);
};
for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny']) patch(resolver, name, named);
}

patch(net.Socket.prototype, 'connect', ([given]) => {
  // Options, or an array of those as `net.connect` makes it, or a port and a host.
  const options = Array.isArray(given) ? (given as unknown[])[0] : given;
  if (typeof options !== 'object' || options === null) return;
  const { host, path } = options as { host?: unknown; path?: unknown };
  if (typeof path !== 'string' && typeof host === 'string' && !here.has(host)) refuse(`connects to ${host}`);
});
