import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Of a process that wants to be out of the way: 0 is ordinary, 19 the lowest. */
const background = 10;

/** Of one that somebody waits for, and that shall still not slow down those who send events. */
export const yielding = 5;

/**
 * Lets the calling thread wait for the others when the cores are busy: what it does can wait, events cannot. On Linux
 * each thread has a priority of its own; elsewhere nothing changes.
 */
export function runInBackground(priority = background): void {
  try {
    // Read by this very thread, so the link names it: `<process>/task/<thread>`.
    const [, , thread] = readlinkSync('/proc/thread-self').split('/');
    if (thread !== undefined) setPriority(Number(thread), priority);
  } catch {
    // Not Linux, or not allowed.
  }
}
