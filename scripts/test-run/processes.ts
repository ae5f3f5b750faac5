/** The processes below one, on Linux; none elsewhere. */
import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The name may hold blanks and brackets. */
const parentOf = (pid: number): number => Number(read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] ?? 0);

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Children before their own children. */
export function descendantsOf(root: number): number[] {
  const parents = new Map(pids().map((pid) => [pid, parentOf(pid)]));
  const found = [root];
  for (const pid of found) found.push(...[...parents].filter(([, parent]) => parent === pid).map(([child]) => child));
  return found.slice(1);
}

/** What the threads of a process do or wait for, as the kernel says it: state, place, how many. */
function threadsOf(pid: number): string {
  let ids: string[] = [];
  try {
    ids = readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended.
  }
  const counts = new Map<string, number>();
  for (const id of ids) {
    const task = `/proc/${pid}/task/${id}`;
    const state = /^State:\s+(\S)/m.exec(read(`${task}/status`))?.[1] ?? '?';
    const [call = ''] = read(`${task}/syscall`).split(' ');
    const isMain = id === String(pid);
    const what = `${isMain ? 'main ' : ''}${read(`${task}/comm`).trim()} ${state} ${read(`${task}/wchan`)} call ${call.trim()}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => `    ${count} × ${what}`).join('\n');
}

export function describeProcess(pid: number): string {
  const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 160);
  return `  ${pid} ${command}\n${threadsOf(pid)}`;
}
