/**
 * The engine's process. Started by the supervisor, which sends one message with all it needs and keeps the channel
 * open: when the channel closes, for whatever reason, this process ends, so that no orphan holds the data directory.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdirSync } from 'node:fs';
import { Engine } from './engine.ts';
import { createEngineServer } from './server.ts';

/** From the supervisor. */
export interface StartMessage {
  readonly dataDir: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly memoryBytes: number;
  readonly maxBodyBytes: number;
  /** Of the engine's own configuration. */
  readonly configFile?: string | undefined;
}

/** To the supervisor. */
export type EngineMessage = { readonly kind: 'ready' } | { readonly kind: 'failed'; readonly reason: string };

/** Statements may finish for this long after the signal to stop. */
const drainMs = 3000;

function send(message: EngineMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });
}

async function run(start: StartMessage): Promise<void> {
  mkdirSync(start.dataDir, { recursive: true, mode: 0o700 });
  const engine = await Engine.open(start);
  const server = createEngineServer(engine, start);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(start.port, '127.0.0.1', resolve);
  });
  const stop = async (): Promise<void> => {
    server.close();
    server.closeIdleConnections();
    await Promise.race([engine.close(), sleep(drainMs)]);
    end();
  };
  process.once('SIGTERM', () => void stop());
  process.once('disconnect', () => void stop());
  if (process.connected) await send({ kind: 'ready' });
  else await stop();
}

/** Leaves without the exit handlers of the native library, which wait for statements that still run. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

// A Ctrl-C in the terminal reaches this process too; the supervisor decides when the engine stops.
process.on('SIGINT', () => {});
process.once('disconnect', () => setTimeout(end, drainMs + 500).unref());
process.once('message', (message) => {
  run(message as StartMessage).catch(async (error: unknown) => {
    await send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  });
});
