/** Keys of the console, and how long the page takes from one to the frame that shows what it did, measured within the page. */
import type { Page } from 'playwright-core';

export interface Press {
  readonly keys: string;
  /** What had to be seen, in an element of this selector: its text or its name. */
  readonly selector: string;
  readonly text: string;
  /** ms since the page was opened. */
  readonly at: number;
  /** From the key to the end of the frame, ms. */
  readonly ms: number;
}

/** Presses a key and resolves when the first frame shows the text; rejects after ten seconds. */
export async function press(page: Page, keys: string, selector: string, text: string): Promise<Press> {
  await page.evaluate(
    ([where, what]) => {
      const seen = (): boolean =>
        [...document.querySelectorAll(where)].some(
          (each) => each.textContent.includes(what) || each.getAttribute('aria-label')?.includes(what),
        );
      const measured = new Promise<{ at: number; ms: number } | undefined>((resolve) => {
        const began = ({ timeStamp }: KeyboardEvent): void => {
          const look = (): void => {
            if (performance.now() - timeStamp > 10_000) return resolve(undefined);
            if (!seen()) return void requestAnimationFrame(look);
            // A message that is sent before a frame is drawn comes after it.
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => resolve({ at: timeStamp, ms: performance.now() - timeStamp }));
            port1.start();
            port2.postMessage(undefined);
          };
          requestAnimationFrame(look);
        };
        addEventListener('keydown', began, { once: true, capture: true });
      });
      Object.assign(globalThis, { measured });
    },
    [selector, text] as const,
  );
  await page.keyboard.press(keys);
  const found = await page.evaluate(
    () => Reflect.get(globalThis, 'measured') as Promise<{ at: number; ms: number } | undefined>,
  );
  if (!found) throw new Error(`${keys} did not bring “${text}” into ${selector}`);
  return { keys, selector, text, ...found };
}

/** The value that `part` of them do not exceed. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Goes to the search of the page by its key; what is typed from then on stands there. */
export async function goToSearch(page: Page): Promise<void> {
  await page.locator('body').press('s');
  await page.locator(':is(input, textarea, [role=combobox]):focus').waitFor();
}
