/** A question to whoever sits at the terminal. */
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ReadStream } from 'node:tty';

/** Undefined where nobody can be asked. Standard input may be a pipe, or used up by a password. */
export async function ask(question: string): Promise<boolean | undefined> {
  if (!process.stderr.isTTY) return undefined;
  let terminal: ReadStream;
  try {
    terminal = new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    return undefined;
  }
  process.stderr.write(`${question} [y/N] `);
  try {
    for await (const line of createInterface({ input: terminal })) return /^\s*y(es)?\s*$/i.test(line);
    return false;
  } finally {
    terminal.destroy();
  }
}
