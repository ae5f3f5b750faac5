/** Texts in which nothing was found. Names, paths and lines of code come again with every event of a bug. */

const most = 10_000;
const longest = 300;

export class KnownClean {
  readonly #texts = new Set<string>();

  has(text: string): boolean {
    return text.length <= longest && this.#texts.has(text);
  }

  add(text: string): void {
    if (text.length > longest) return;
    // It starts over: what is common comes back at once.
    if (this.#texts.size >= most) this.#texts.clear();
    this.#texts.add(text);
  }
}
