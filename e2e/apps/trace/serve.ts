/** What the services have in common: they say where they listen, and send what they hold before they end. */
import type { Server } from 'node:http';

export function announce(server: Server): void {
  const address = server.address();
  if (typeof address === 'object' && address) console.log(`http://127.0.0.1:${address.port}`);
}

export function onStop(finish: () => Promise<unknown>): void {
  process.once('SIGTERM', () => {
    void finish().finally(() => process.exit());
  });
}

export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
