/** Keeps the embedded engine running in a process of its own. States: see engine-state.ts. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CodedError } from '../../base/errors.ts';
import { engine as texts } from '../../base/texts/stores.ts';
import { laneSizes } from './engine/lanes.ts';
import type { EngineMessage, StartMessage } from './engine/main.ts';
import { type EngineEvent, type EngineState, engineTransitions } from './engine-state.ts';
import type { EventsAddress } from './events.ts';
import { findFreePort } from './free-port.ts';

export interface EngineOptions {
  /** Directory of the engine's files; created when missing. */
  readonly dataDir: string;
  /** Bytes that the engine's statements and merges may allocate together. */
  readonly memoryBytes?: number;
  /** Of the engine's own configuration: tests make clusters of one process with it. */
  readonly configFile?: string;
}

interface SupervisorEvents {
  /** The state has changed. */
  state: [EngineState];
  /** A process ended without being asked to; it will be started again after `retryMs`. */
  lost: [{ reason: string; retryMs: number }];
  /** A line that the process wrote on its standard output or error. */
  line: [string];
}

const username = 'default';
const database = 'culprit';
const defaultMemoryBytes = 400 * 1024 * 1024;
const maxBodyBytes = 256 * 1024 * 1024;
const checkEveryMs = 2000;
const hungAfterMs = 10_000;
/** Opening reads the parts' metadata and may wait for a dying predecessor's lock. */
const startWithinMs = 60_000;
const killAfterMs = 5000;
const backoffMs = [100, 250, 500, 1000, 2000, 5000, 10_000];
/** After this long in `ready` an exit counts as the first again. */
const steadyAfterMs = 60_000;

const program = fileURLToPath(new URL('./engine/main.ts', import.meta.url));

/** Resolves when the engine answers; rejects when its first start fails. The address stays the same over restarts. */
export async function startEngine(options: EngineOptions): Promise<EngineSupervisor> {
  const supervisor = new EngineSupervisor({
    dataDir: options.dataDir,
    port: await findFreePort(),
    username,
    password: randomBytes(24).toString('base64url'),
    memoryBytes: options.memoryBytes ?? defaultMemoryBytes,
    maxBodyBytes,
    configFile: options.configFile,
  });
  const firstLoss = once(supervisor, 'lost').then(([loss]) => (loss as SupervisorEvents['lost'][0]).reason);
  const reason = await Promise.race([supervisor.whenReady(), firstLoss]);
  if (reason !== undefined) {
    await supervisor.stop();
    throw new CodedError('ENGINE_UNAVAILABLE', [], { cause: new Error(`the engine could not be started: ${reason}`) });
  }
  return supervisor;
}

export class EngineSupervisor extends EventEmitter<SupervisorEvents> implements AsyncDisposable {
  readonly address: EventsAddress;
  readonly #start: StartMessage;
  #state: EngineState = 'starting';
  #child: ChildProcess | undefined;
  #restarts = 0;
  #losses = 0;
  #failure = '';
  #complaint = '';
  #changedAt = Date.now();
  #answeredAt = Date.now();
  #retry: NodeJS.Timeout | undefined;
  readonly #checks: NodeJS.Timeout;

  constructor(start: StartMessage) {
    super();
    this.#start = start;
    const { username, password } = start;
    this.address = { url: `http://127.0.0.1:${start.port}`, username, password, database };
    this.#spawn();
    this.#checks = setInterval(() => void this.#check(), checkEveryMs);
    this.#checks.unref();
  }

  get state(): EngineState {
    return this.#state;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Resolves at once or at the next `ready`; never, when the engine is stopped. */
  async whenReady(): Promise<undefined> {
    while (this.#state !== 'ready') await once(this, 'state');
    return undefined;
  }

  /** Lets running statements end, at most for five seconds. */
  async stop(): Promise<void> {
    this.#handle('stop', '');
    clearInterval(this.#checks);
    clearTimeout(this.#retry);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    await exited;
    clearTimeout(patience);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #handle(event: EngineEvent, reason: string): void {
    const next = engineTransitions[this.#state][event];
    if (next === 'ignored') return;
    const steady = this.#state === 'ready' && Date.now() - this.#changedAt > steadyAfterMs;
    this.#state = next;
    this.#changedAt = Date.now();
    if (next === 'starting') {
      this.#restarts++;
      this.#spawn();
    }
    if (next === 'down') {
      this.#losses = steady ? 0 : this.#losses;
      const retryMs = backoffMs[Math.min(this.#losses++, backoffMs.length - 1)] ?? 0;
      this.#retry = setTimeout(() => void this.#reapThenRetry(), retryMs);
      this.emit('lost', { reason, retryMs });
    }
    this.emit('state', next);
  }

  #spawn(): void {
    this.#failure = '';
    this.#complaint = '';
    this.#answeredAt = Date.now();
    const child = fork(program, [], {
      execPath: process.execPath,
      execArgv: [],
      serialization: 'json',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        TZ: 'UTC',
        // One thread per session, or a slow read would hold up an insert, and a few for files.
        UV_THREADPOOL_SIZE: String(Object.values(laneSizes).reduce<number>((sum, size) => sum + size, 2)),
      },
    });
    this.#child = child;
    child.on('message', (message) => this.#hear(message as EngineMessage));
    child.once('error', (error) => this.#lose(child, error.message));
    // `close` comes after the last line that the process wrote.
    child.once('close', (code, signal) => {
      const ending = this.#failure || texts.stopped(signal ?? texts.exitCode(code));
      this.#lose(child, [ending, this.#complaint].filter(Boolean).join(': '));
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#note(line));
    }
    child.send(this.#start, () => {});
  }

  #hear(message: EngineMessage): void {
    if (message.kind === 'failed') this.#failure = message.reason;
    else this.#handle('answered', '');
  }

  #note(line: string): void {
    // The engine's library tells only here why it could not open the directory.
    if (line.startsWith('Code: ')) this.#complaint = line;
    this.emit('line', line);
  }

  /** A late exit of a process that was already given up must not bring down its successor. */
  #lose(child: ChildProcess, reason: string): void {
    if (child === this.#child) this.#handle('exited', reason);
  }

  async #reapThenRetry(): Promise<void> {
    const child = this.#child;
    if (child && child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      await once(child, 'exit');
    this.#handle('retry', '');
  }

  async #check(): Promise<void> {
    if (this.#state === 'ready' && (await this.#answers())) this.#answeredAt = Date.now();
    const patience = this.#state === 'starting' ? startWithinMs : hungAfterMs;
    if (this.#state === 'down' || this.#state === 'stopped' || Date.now() - this.#answeredAt <= patience) return;
    const child = this.#child;
    this.#handle('hung', texts.silent(patience / 1000));
    child?.kill('SIGKILL');
  }

  /** Not by `fetch`, whose client would be loaded at each start for this alone. */
  async #answers(): Promise<boolean> {
    const { url, username, password } = this.address;
    try {
      const asked = request(`${url}/check`, {
        auth: `${username}:${password}`,
        signal: AbortSignal.timeout(checkEveryMs),
      });
      // Where it breaks after its head nobody waits for it any more, and an error that nobody hears ends the server.
      asked.on('error', () => {}).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  }
}
