/** One line on a terminal that says how far something is; nothing where nobody looks. */

export interface ProgressLine extends Disposable {
  show(progress: { readonly done: number; readonly of: number }): void;
  /** The same in words. */
  write(text: string): void;
  /** A line of its own. */
  say(text: string): void;
  end(): void;
}

const everyMs = 200;

export function createProgressLine(write: (done: number, of: number, percent: number) => string): ProgressLine {
  const { stderr } = process;
  let shownAt = 0;
  let isShown = false;
  const end = (): void => {
    if (isShown) stderr.write('\r\u001b[K');
    isShown = false;
  };
  const show = (text: () => string): void => {
    if (!stderr.isTTY || performance.now() - shownAt < everyMs) return;
    shownAt = performance.now();
    isShown = true;
    stderr.write(`\r\u001b[K${text()}`);
  };
  return {
    show: ({ done, of }) => show(() => write(done, of, of === 0 ? 100 : Math.floor((done / of) * 100))),
    write: (text) => show(() => text),
    say(text) {
      end();
      if (stderr.isTTY) stderr.write(`${text}\n`);
    },
    end,
    [Symbol.dispose]: end,
  };
}
