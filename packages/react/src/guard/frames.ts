/** `error.stack` of Chromium, Firefox and Safari as frames of the protocol. */

export interface Frame {
  readonly filename: string;
  readonly function: string;
  readonly lineno: number;
  readonly colno: number;
  readonly in_app: true;
}

const maxLines = 50;
const maxLine = 1024;

/**
 * `at name (file:1:2)` of Chromium; `name@file:1:2` of the others, where Safari may leave out the name with its sign. What has
 * no file (`<anonymous>`, `[native code]`, code made by eval) is left out, as is the message.
 */
const pattern = /^\s*(?:at (?:async )?)?(?:([^(@]*)(?: \(|@))?([a-z-]+:\S+):(\d{1,9}):(\d{1,9})\)?$/;

/** Outermost call first, as the protocol wants it. */
export function parseStack(stack: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.split('\n', maxLines)) {
    const match = line.length < maxLine && pattern.exec(line);
    if (match) {
      const [, name, filename = '', lineno, colno] = match;
      frames.unshift({ filename, function: name || '?', lineno: Number(lineno), colno: Number(colno), in_app: true });
    }
  }
  return frames;
}
