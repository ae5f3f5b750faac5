/** The order in which things are fetched ahead of a click. */

export interface PrefetchTask {
  /** What it is for: the address of a link. */
  readonly owner: string;
  /** The reader points at the link: goes first, the newest before the older ones. */
  readonly urgent?: boolean;
  /** Not beside another one of its kind unless urgent: for what cannot be aborted, so that connections stay free. */
  readonly alone?: boolean;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

export interface PrefetchQueue {
  add: (task: PrefetchTask) => void;
  /** Forgets what waits for this owner and aborts what runs for it; of the urgent tasks or of the others. */
  drop: (owner: string, urgent: boolean) => void;
  /** A visit begins: everything is dropped and nothing starts. What already runs for `owner` goes on, since the visit joins it. */
  hold: (owner: string) => void;
  /** The visit has its page. */
  resume: () => void;
  /** Starts what may start: to be called whenever `quiet` may have become true. */
  look: () => void;
}

/** Runs at most `width` tasks at once, those that are not urgent only while `quiet` says that nothing better is to do. */
export function createPrefetchQueue(width: number, quiet: () => boolean): PrefetchQueue {
  let held = false;
  let waiting: PrefetchTask[] = [];
  const running = new Map<PrefetchTask, AbortController | undefined>();

  const choose = (): PrefetchTask | undefined => {
    const urgent = waiting.find((task) => task.urgent);
    if (urgent || waiting.length === 0 || !quiet()) return urgent;
    const busy = [...running.keys()].some((task) => task.alone);
    return waiting.find((task) => !(busy && task.alone));
  };

  const next = (): void => {
    for (;;) {
      const task = held || running.size >= width ? undefined : choose();
      if (!task) return;
      waiting = waiting.filter((each) => each !== task);
      const controller = new AbortController();
      running.set(task, controller);
      void task
        .run(controller.signal)
        .catch(() => undefined)
        .finally(() => {
          running.delete(task);
          next();
        });
    }
  };

  return {
    add(task) {
      if (task.urgent) waiting.unshift(task);
      else waiting.push(task);
      next();
    },
    drop(owner, urgent) {
      const dropped = (task: PrefetchTask): boolean => task.owner === owner && (task.urgent ?? false) === urgent;
      waiting = waiting.filter((task) => !dropped(task));
      for (const [task, controller] of running) if (dropped(task)) controller?.abort();
    },
    hold(owner) {
      held = true;
      waiting = [];
      for (const [task, controller] of running) {
        if (task.owner === owner) running.set(task, undefined);
        else controller?.abort();
      }
    },
    resume() {
      held = false;
      next();
    },
    look: next,
  };
}
