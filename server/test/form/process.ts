/** A process of `culprit serve`, as a test starts it: it is started, killed or stopped, and started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * What `bin/culprit.js` starts Node again with; and the young generation begins at its bound: growing there takes a tenth
 * of the processor time of a start.
 */
export const nodeOptions = ['--max-semi-space-size=8', '--min-semi-space-size=8'];

export interface ServedOptions {
  /** The module that is run. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly port: number;
  /** As people start it; else Node is told at once what `bin/culprit.js` would start it a second time for. */
  readonly isPlain?: boolean;
  /** Hears what it writes. */
  readonly onOutput: (text: string) => void;
}

export class Served {
  readonly #options: ServedOptions;
  #child: ChildProcess | undefined;

  constructor(options: ServedOptions) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`;
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#options.environment;
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('the server is not running');
    return pid;
  }

  /** Of a process that has ended by itself or was stopped. */
  get exitCode(): number | undefined {
    return this.#child?.exitCode ?? undefined;
  }

  start(): void {
    const { program, environment, isPlain = false, onOutput } = this.#options;
    const child = spawn(process.execPath, [...(isPlain ? [] : nodeOptions), program, 'serve'], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const collect = (chunk: Buffer): void => onOutput(chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
  }

  /** Resolves when it has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }
}
