/**
 * Python's tracebacks: the oldest exception stands first, and says how it led to the next. Members of a group are
 * indented behind a margin, each group one step further.
 */
import type { StackFrame, StackRelation, StackText } from '../types.ts';
import { rootOf, shortPath } from './paths.ts';
import { type Draft, draft, finish, indentOf, linesOf, maxExceptions, maxFrames, splitName } from './text.ts';

const header = 'Traceback (most recent call last):';
const groupHeader = `Exception Group ${header}`;
const relations: ReadonlyMap<string, StackRelation> = new Map([
  ['The above exception was the direct cause of the following exception:', 'cause'],
  ['During handling of the above exception, another exception occurred:', 'context'],
]);
const place = /^ {2}File "([^"]{1,1000})", line (\d{1,9})(?:, in (.{1,400}))?$/;
const repeated = /^ {2}\[Previous line repeated (\d{1,9}) more times?\]$/;
const exceptionLine = /^([^\s:'"()[\]{},=]{1,400})(?:: ?(.*))?$/;
const memberLine = /^( *)(\+-)?\+-{16} (?:\d{1,9}|\.\.\.) -{16}$/;
const groupEnd = /^ *\+-{30,}$/;
const carets = /^[\s~^]{1,2000}$/;

/** Exceptions that led to each other, of which the last one was raised; either of the whole text or of one member. */
interface Chain {
  readonly owner: Draft | undefined;
  readonly done: Draft[];
  current: Draft | undefined;
  relation: StackRelation | undefined;
  at: 'start' | 'frames' | 'message';
  /** The line before was blank, or there was none. */
  isAfterBlank: boolean;
}

function chainOf(owner?: Draft): Chain {
  return { owner, done: [], current: undefined, relation: undefined, at: 'start', isAfterBlank: true };
}

export function readPython(text: string): StackText | undefined {
  if (!text.includes(header)) return undefined;
  const whole = chainOf();
  const members = new Map<Draft, Chain[]>();
  // Of the group that is being read, and those it lies in; empty outside of groups.
  let open: Chain[] = [];
  for (const line of linesOf(text)) {
    if (open.length === 0) {
      if (line === `  + ${groupHeader}`) {
        open = [whole];
        feed(whole, groupHeader);
      } else feed(whole, line);
      continue;
    }
    const begun = memberLine.exec(line);
    if (begun) {
      const depth = ((begun[1]?.length ?? 0) + (begun[2] ? 2 : 0)) / 2;
      const group = open[depth - 2]?.current;
      if (!group || open.length >= maxDepth) continue;
      const member = chainOf(group);
      members.set(group, [...(members.get(group) ?? []).slice(0, maxMembers), member]);
      open = [...open.slice(0, depth - 1), member];
      continue;
    }
    if (groupEnd.test(line)) {
      open = open.slice(0, Math.max(0, indentOf(line) / 2 - 1));
      continue;
    }
    const margin = indentOf(line);
    const chain = open[margin / 2 - 1];
    if (line.charAt(margin) !== '|' || !chain) open = [];
    else feed(chain, line.slice(margin + 2));
  }
  const drafts = inOrder(whole, members);
  return !drafts.some(({ frames }) => frames.length > 0)
    ? undefined
    : { language: 'python', exceptions: finish(drafts, false) };
}

const maxDepth = 12;
const maxMembers = 20;

function feed(chain: Chain, line: string): void {
  const { current } = chain;
  if (line === header || line === groupHeader) {
    // Without a word of how it came to this one, what stood before is another error.
    if (chain.relation === undefined) chain.done.length = 0;
    chain.current = draft('', undefined, { relation: chain.relation });
    chain.relation = undefined;
    chain.at = 'frames';
    return;
  }
  const relation = relations.get(line);
  if (relation !== undefined && current) {
    if (chain.done.length < maxExceptions) chain.done.push(current);
    chain.current = undefined;
    chain.relation = relation;
    chain.at = 'start';
    return;
  }
  if (chain.at === 'frames' && current) readFrame(chain, current, line);
  else if (chain.at === 'message') current?.value.push(line);
  else if (chain.isAfterBlank) beginBare(chain, line);
  chain.isAfterBlank = line === '';
}

/** An exception that was never raised has no traceback: its line stands alone. */
function beginBare(chain: Chain, line: string): void {
  const [, name, value] = exceptionLine.exec(line) ?? [];
  if (name === undefined) return;
  chain.current = draft('', value, { ...nameOf(name), relation: chain.relation });
  // Before the first traceback of a text anything may stand, until a line says that it led to another exception.
  chain.at = chain.owner || chain.relation !== undefined ? 'message' : 'start';
  chain.relation = undefined;
}

function readFrame(chain: Chain, current: Draft, line: string): void {
  const at = place.exec(line);
  if (at) {
    current.frames.push(frameOf(at));
    return;
  }
  const last = current.frames.at(-1);
  if (line.startsWith('  ')) {
    const again = repeated.exec(line);
    if (again && last) {
      const room = 4 * maxFrames - current.frames.length;
      for (let left = Math.min(Number(again[1]), room); left > 0; left--) current.frames.push(last);
    } else if (last && last.source === undefined && line.startsWith('    ') && !carets.test(line)) {
      current.frames[current.frames.length - 1] = { ...last, source: line.trim() };
    }
    return;
  }
  if (line === '') return;
  const [, name, value] = exceptionLine.exec(line) ?? [];
  Object.assign(current, name === undefined ? { type: line.slice(0, 400) } : nameOf(name));
  if (value !== undefined) current.value.push(value);
  chain.at = 'message';
}

function nameOf(name: string): { type: string; module?: string } {
  const { type, module } = splitName(name);
  return { type, module: module?.replaceAll('.<locals>', '') };
}

/** The raised one, then what led to it; members of a group come before what led to the group. */
function inOrder(whole: Chain, members: ReadonlyMap<Draft, readonly Chain[]>): Draft[] {
  const found: Draft[] = [];
  const visit = (chain: Chain): void => {
    const { current, owner } = chain;
    let parent = owner;
    let relation: StackRelation | undefined = owner && 'member';
    const isKnown = current && (current.type !== '' || current.frames.length > 0);
    for (const one of [...chain.done, ...(isKnown ? [current] : [])].toReversed()) {
      // What an exception is to the next is said between the two, so it was read with the next.
      const before = one.relation;
      Object.assign(one, { parent, relation });
      [parent, relation] = [one, before];
      found.push(one);
      for (const member of members.get(one) ?? []) visit(member);
    }
  };
  visit(whole);
  return found;
}

const library = /(?<=\/)(?:(?:site|dist)-packages|lib(?:64)?\/python\d[^/]{0,8})\//g;

function frameOf([, path = '', lineno, name]: RegExpExecArray): StackFrame {
  const frame = { function: name, absPath: path, lineno: Number(lineno) };
  if (path.startsWith('<')) {
    const frozen = /^<frozen ([\w.]{1,200})>$/.exec(path)?.[1];
    return { ...frame, filename: path, ...(frozen !== undefined && { module: frozen }), inApp: false };
  }
  const slashed = path.replaceAll('\\', '/');
  const last = [...slashed.matchAll(library)].at(-1);
  if (last) {
    const filename = slashed.slice(last.index + last[0].length);
    return { ...frame, filename, module: moduleOf(filename), inApp: false };
  }
  const filename = shortPath(slashed);
  return { ...frame, filename, ...(rootOf(slashed) > 0 && { module: moduleOf(filename) }), inApp: true };
}

function moduleOf(filename: string): string | undefined {
  if (!filename.endsWith('.py')) return undefined;
  return filename
    .slice(0, -'.py'.length)
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.');
}
