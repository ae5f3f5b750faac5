/** A text in which parts give way to others. What has given way is not looked at again: a NUL stands for it. */

export interface Range {
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}

export class Chunks {
  /** As rules see it. */
  text: string;
  /** What stands for each NUL. */
  #marks: string[] = [];

  constructor(text: string) {
    this.text = text.includes('\0') ? text.replaceAll('\0', '') : text;
  }

  /** `ranges` in order, apart from each other. */
  replace(ranges: readonly Range[], make: (text: string) => string): void {
    const marks: string[] = [];
    let text = '';
    let done = 0;
    let known = 0;
    const keep = (to: number): void => {
      const kept = this.text.slice(done, to);
      text += kept;
      for (let at = kept.indexOf('\0'); at >= 0; at = kept.indexOf('\0', at + 1))
        marks.push(this.#marks[known++] ?? '');
    };
    for (const { start, end } of ranges) {
      keep(start);
      const gone = this.text.slice(start, end);
      // What has given way within goes with it.
      for (let at = gone.indexOf('\0'); at >= 0; at = gone.indexOf('\0', at + 1)) known++;
      marks.push(make(gone.replaceAll('\0', '')));
      text += '\0';
      done = end;
    }
    keep(this.text.length);
    this.text = text;
    this.#marks = marks;
  }

  whole(): string {
    let next = 0;
    return this.text.includes('\0') ? this.text.replaceAll('\0', () => this.#marks[next++] ?? '') : this.text;
  }
}
