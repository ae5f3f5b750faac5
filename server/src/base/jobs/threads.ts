/** The host of threads: all that work beside the main one are started here, and those of one task end here as well. */
import { Worker } from 'node:worker_threads';

interface ThreadOptions {
  /** The module that it runs. */
  readonly module: URL;
  /** As debuggers and profilers show it. */
  readonly name: string;
  /** Its `workerData`. */
  readonly setup?: object;
  /** Of its heap; what Node takes for right unless given. */
  readonly oldMb?: number;
  readonly youngMb?: number;
}

interface TaskOptions<Message> extends ThreadOptions {
  readonly onMessage: (message: Message) => void;
  /** When it is to end it is asked, and has so long for what it is at, ms; 0: it is not asked. */
  readonly graceMs?: number;
}

/** What a thread is asked to do before it is stopped. */
interface Stop {
  readonly kind: 'stop';
}

const defaultGraceMs = 3_000;

/** For whoever gives it one thing after the other; a thread with one task is better off with `runThread`. */
export function startThread({ module, name, setup, oldMb, youngMb }: ThreadOptions): Worker {
  return new Worker(module, {
    workerData: setup,
    name,
    resourceLimits: {
      ...(oldMb !== undefined && { maxOldGenerationSizeMb: oldMb }),
      ...(youngMb !== undefined && { maxYoungGenerationSizeMb: youngMb }),
    },
  });
}

/** Resolves when the thread has ended by itself or was stopped by the signal; throws what it died of. */
export async function runThread<Message>(
  { onMessage, graceMs = defaultGraceMs, ...options }: TaskOptions<Message>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const thread = startThread(options);
  let limit: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (graceMs === 0) {
      void thread.terminate();
      return;
    }
    thread.postMessage({ kind: 'stop' } satisfies Stop, []);
    limit = setTimeout(() => void thread.terminate(), graceMs);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      thread.on('message', onMessage);
      thread.on('error', reject);
      thread.on('exit', () => resolve());
    });
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', stop);
  }
}
