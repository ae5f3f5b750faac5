/** What processes of this machine use, as Linux tells in /proc. Processes that end meanwhile are left out. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessUse {
  readonly pid: number;
  /** The last word of the command line that names a source file; tells the server from its engine. */
  readonly name: string;
  /** Of all threads since the start, seconds. */
  readonly cpuSeconds: number;
  /** Of its children that have ended, and theirs. */
  readonly endedSeconds: number;
}

export interface ThreadUse {
  readonly name: string;
  readonly cpuSeconds: number;
}

/** Clock ticks a second, the same on every Linux. */
const ticks = 100;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Fields of a stat line after the name, which may itself hold spaces and brackets: state is field 0. */
const statFields = (line: string): string[] => line.slice(line.lastIndexOf(')') + 2).split(' ');
const parentField = 1;
const userField = 11;
const systemField = 12;
const endedUserField = 13;
const endedSystemField = 14;

/** The process and all below it. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statFields(read(`/proc/${name}/stat`))[parentField]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

export function processUse(pid: number): ProcessUse {
  const fields = statFields(read(`/proc/${pid}/stat`));
  const words = read(`/proc/${pid}/cmdline`).split('\0');
  const name = words.findLast((word) => /\.[cm]?[jt]s$/.test(word)) ?? words[0] ?? '';
  const seconds = (user: number, system: number): number =>
    (Number(fields[user] ?? 0) + Number(fields[system] ?? 0)) / ticks;
  return {
    pid,
    name,
    cpuSeconds: seconds(userField, systemField),
    endedSeconds: seconds(endedUserField, endedSystemField),
  };
}

/** Of all its threads that are there, to the ns; in a process whose threads stay until it ends. */
export const threadsUs = (pid: number): number =>
  threadUse(pid).reduce((total, { cpuSeconds }) => total + cpuSeconds * 1e6, 0);

/** Processor time by name of thread, the busiest first; threads that have ended are not in it. */
export function threadUse(pid: number): ThreadUse[] {
  const sums = new Map<string, number>();
  let tasks: string[] = [];
  try {
    tasks = readdirSync(`/proc/${pid}/task`);
  } catch {
    // The process is gone.
  }
  for (const task of tasks) {
    const name = Number(task) === pid ? 'main' : read(`/proc/${pid}/task/${task}/comm`).trim();
    const onCpuNs = Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0] ?? 0);
    sums.set(name, (sums.get(name) ?? 0) + onCpuNs / 1e9);
  }
  return [...sums].map(([name, cpuSeconds]) => ({ name, cpuSeconds })).sort((a, b) => b.cpuSeconds - a.cpuSeconds);
}

/** Processor time that the whole machine has spent on anything since it was started, seconds. */
export function machineBusySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0, stolen = 0] = read('/proc/stat')
    .slice(0, 200)
    .split('\n', 1)
    .join('')
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupts + soft + stolen) / ticks;
}

export interface MemorySize {
  /** Proportional set size: what the process holds, with what it shares divided among those that share it. */
  readonly totalBytes: number;
  /** The part that is mapped files, which the system takes back when it needs room. */
  readonly mappedBytes: number;
  /** What the system can not take back: written to, and of this process alone. */
  readonly dirtyBytes: number;
}

export function memorySize(pid: number): MemorySize {
  const text = read(`/proc/${pid}/smaps_rollup`);
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
  return {
    totalBytes: kilobytes('Pss') * 1024,
    mappedBytes: kilobytes('Pss_File') * 1024,
    dirtyBytes: kilobytes('Private_Dirty') * 1024,
  };
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
