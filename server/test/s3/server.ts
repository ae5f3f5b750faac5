/** An S3 server for tests: versitygw over a temporary directory, on a free port of 127.0.0.1, gone afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { versitygwModule, versitygwProgram } from './places.ts';

const startMs = 30_000;

export interface S3Server extends AsyncDisposable {
  readonly port: number;
  readonly key: string;
  readonly secret: string;
  readonly pid: number;
  /** Where buckets lie as directories, and objects as files. */
  readonly dir: string;
  /** Makes an empty bucket, or takes one of that name, and returns its address for `CULPRIT_BLOBS_URL`. */
  bucket(name?: string): Promise<string>;
  /** The address of a bucket, made or not; other credentials where given. */
  url(bucket: string, credentials?: { readonly key: string; readonly secret: string }): string;
  /** `SIGKILL` says nothing to anybody; what was answered lies in `dir`. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** On the same port, with what was there; the process is another one. */
  start(): Promise<void>;
  /** Answers nobody while it is paused: connections stand still. */
  pause(): void;
  resume(): void;
}

let shared: Promise<S3Server> | undefined;

/** One for all files of tests that a process runs; it ends with the process. Never stop or pause it. */
export function sharedS3(): Promise<S3Server> {
  return (shared ??= startS3());
}

/**
 * Runs a server until the input ends: it does when whoever has started it ends, however that comes about. The directory
 * goes with it, unless a line was said before. What the shell says of a killed server is said to nobody then.
 */
const untilInputEnds = `trap '' INT TERM PIPE
exec 3<&0
"$@" 3<&- & server=$!
echo $server
{ read -r line <&3 || { touch "$0/over"; kill -KILL $server; }; } > /dev/null 2>&1 &
wait $server
[ ! -e "$0/over" ] || rm -rf "$0"`;

/** Throws with what to install where versitygw is missing. */
export async function startS3(): Promise<S3Server> {
  const program = versitygwProgram();
  if (!program) {
    throw new Error(
      `versitygw is missing. Run "node scripts/provision.ts", or install it: go install ${versitygwModule}`,
    );
  }
  const root = await mkdtemp(join(tmpdir(), 'culprit-s3-'));
  const dir = join(root, 'buckets');
  const metadata = join(root, 'metadata');
  await mkdir(dir);
  await mkdir(metadata);
  const port = await freePort();
  const key = `culprit${randomBytes(4).toString('hex')}`;
  // With what stands in secrets of AWS and not in addresses.
  const secret = `${randomBytes(12).toString('base64url')}/+${randomBytes(4).toString('hex')}`;
  let running: { readonly shell: ChildProcess; readonly pid: number } | undefined;

  async function start(): Promise<void> {
    // Metadata beside: temporary directories may lie where files take no attributes.
    const args = ['--port', `127.0.0.1:${port}`, '--access', key, '--secret', secret, '--quiet', '--keep-alive'];
    const command = [program!, ...args, '--health', '/health', 'posix', '--sidecar', metadata, dir];
    const shell = spawn('sh', ['-c', untilInputEnds, root, ...command], { stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    for (const output of [shell.stdout, shell.stderr]) {
      output.on('data', (chunk: Buffer) => (said = (said.slice(0, 20) + chunk.toString()).slice(0, 4000)));
    }
    shell.stdin.on('error', () => {});
    const deadline = Date.now() + startMs;
    for (;;) {
      const isUp = await fetch(`http://127.0.0.1:${port}/health`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isUp) break;
      if (shell.exitCode !== null) throw new Error(`versitygw did not start: ${said}`);
      if (Date.now() > deadline) throw new Error(`versitygw did not start within ${startMs / 1000} s: ${said}`);
      await delay(20);
    }
    running = { shell, pid: Number(/^\d+/.exec(said)?.[0]) };
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const one = running;
    if (!one) return;
    running = undefined;
    const ended = one.shell.exitCode === null && once(one.shell, 'exit');
    one.shell.stdin?.end('stay\n');
    process.kill(one.pid, signal);
    await ended;
  }

  const url = (bucket: string, credentials = { key, secret }): string =>
    `s3://${credentials.key}:${credentials.secret}@127.0.0.1:${port}/${bucket}?tls=off`;

  await start();
  return {
    port,
    key,
    secret,
    dir,
    get pid() {
      return running?.pid ?? 0;
    },
    async bucket(name = `b-${randomBytes(6).toString('hex')}`) {
      await mkdir(join(dir, name), { recursive: true });
      return url(name);
    },
    url,
    stop,
    start,
    pause: () => void process.kill(running!.pid, 'SIGSTOP'),
    resume: () => void process.kill(running!.pid, 'SIGCONT'),
    async [Symbol.asyncDispose]() {
      if (running) process.kill(running.pid, 'SIGCONT');
      await stop('SIGKILL');
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}
