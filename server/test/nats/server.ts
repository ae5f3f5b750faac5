/** A NATS server of a test, on a free port of this machine; it can be killed and started again with what it has. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../src/ports/events/free-port.ts';
import { hasNewestNats, natsProgram, newestNats } from './places.ts';

export interface NatsServerOptions {
  /** The newest instead of Debian's. */
  readonly newest?: boolean;
  /** More of its configuration, such as `authorization { … }`. */
  readonly config?: string;
  /** Of the block `jetstream`, such as `sync_interval: always`. */
  readonly jetstream?: string;
  /** What JetStream may have on disk. */
  readonly maxFile?: string;
}

export interface NatsServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Of its process. */
  readonly pid: number;
  /** `nats://127.0.0.1:PORT/PREFIX`; a prefix of its own for each that asks for none. */
  url(prefix?: string): string;
  /** With SIGKILL. */
  kill(): Promise<void>;
  /** Stands still, and goes on. */
  pause(): void;
  resume(): void;
  /** After `kill` or `stop`: on the same port, with the same streams. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const host = '127.0.0.1';

/** Throws, saying what to install, where there is no nats-server. */
export async function startNats({
  newest = false,
  config = '',
  jetstream = '',
  maxFile = '500G',
}: NatsServerOptions = {}): Promise<NatsServer> {
  const program = newest ? (hasNewestNats() ? newestNats : undefined) : natsProgram();
  if (!program) {
    const how = newest ? 'install Go' : 'sudo apt-get install nats-server';
    throw new Error(`The test needs nats-server. Run node scripts/provision.ts, or: ${how}`);
  }
  const dir = await mkdtemp(join(tmpdir(), 'culprit-nats-'));
  const port = await findFreePort();
  const file = join(dir, 'nats.conf');
  await writeFile(
    file,
    `listen: "${host}:${port}"\njetstream { store_dir: "${dir}", max_mem: 256M, max_file: ${maxFile}\n${jetstream}\n}\n${config}\n`,
  );
  let child: ChildProcess | undefined;
  let prefixes = 0;

  async function start(): Promise<void> {
    const started = spawn(program!, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let said = '';
    started.stderr?.on('data', (chunk: Buffer) => (said = (said + String(chunk)).slice(-4_000)));
    for (let tries = 0; !(await answers(port)); tries++) {
      if (started.exitCode !== null || tries > 1_000) throw new Error(`nats-server did not start: ${said}`);
      await delay(10);
    }
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = once(ending, 'exit');
    ending.kill(signal);
    await gone;
  }

  await start();
  return {
    host,
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    url: (prefix = `t${process.pid}-${++prefixes}`) => `nats://${host}:${port}/${prefix}`,
    kill: () => end('SIGKILL'),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    start,
    stop: () => end('SIGTERM'),
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
