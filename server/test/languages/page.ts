/** Whether a page says what an event has: under its name, in the line of its call, or in words that could be of nothing else. */
import { at, type Rule } from './compare.ts';
import { object, type Json } from './json.ts';

export interface PageText {
  /** All that stands on it once everything is unfolded. */
  readonly whole: string;
  /** The stack as its runtime prints it. */
  readonly raw: string;
  /** What is said where one points. */
  readonly tips: readonly string[];
}

export type Said = (path: readonly string[], value: unknown, event: Json) => boolean;

/** Shorter words stand on a page for many reasons. */
const telling = 5;

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** What it returns leads a name that .NET's SDK makes readable. */
const bare = (called: string): string => called.slice(called.lastIndexOf(' ', called.indexOf('(')) + 1);

const linesOf = (text: string): string[] => text.split('\n').map(flat).filter(Boolean);

export function createSaid(page: PageText): Said {
  const lines = linesOf(page.whole);
  const alone = new Set(lines);
  const rows = [...lines, ...linesOf(page.raw)];
  const all = flat([page.whole, page.raw, ...page.tips].join(' '));
  // Headers have their own way with large letters.
  const pair = (name: string, text: string): string => `${name.toLowerCase()}\n${text}`;
  const pairs = new Set(lines.map((line, index) => pair(line, lines[index + 1] ?? '')));
  const moments = new Set(page.tips.map((tip) => Date.parse(tip)).filter(Number.isFinite));

  const isRowOf =
    ({ lineno, function: called, module, filename, abs_path: path }: Json) =>
    (row: string): boolean => {
      // A line of no file is not written.
      if (lineno === undefined || (filename ?? path) === undefined)
        return row.includes(bare(flat(String(called ?? module ?? filename ?? '<unknown>'))));
      const words = `${String(filename)}:${String(lineno)}`;
      const isLine = row.includes(`:${String(lineno)}`) || row.includes(`line ${String(lineno)}`);
      return row.includes(words) || (isLine && row.includes(bare(flat(String(called ?? module)))));
    };

  function inStack(path: readonly string[], text: string, frame: Json): boolean {
    const [name = '', of = ''] = [path.at(-1), path.at(-2)];
    const isRow = isRowOf(frame);
    switch (name) {
      case 'function':
        return rows.some((row) => isRow(row) && row.includes(bare(text)));
      case 'lineno':
        return rows.some(isRow);
      case 'module':
        return rows.some((row) => isRow(row) && row.includes(text));
      case 'colno':
        return rows.some((row) => isRow(row) && row.includes(`:${text}`));
      case 'in_app':
        return lines.some((row, index) => isRow(row) && (lines[index + 1] === 'library') === (text === 'false'));
      case 'native':
        return rows.some((row) => isRow(row) && row.includes('Native Method'));
      case 'package':
        return all.includes(text.slice(text.search(/[^/\\]*$/)));
    }
    if (!of.endsWith('_context') && name !== 'context_line') return false;
    const before = Array.isArray(frame.pre_context) ? frame.pre_context.length : 0;
    const place = name === 'context_line' ? 0 : of === 'pre_context' ? Number(name) - before : Number(name) + 1;
    return text === '' || pairs.has(pair(String(Number(frame.lineno) + place), text));
  }

  return (path, value, event) => {
    const text = flat(String(value));
    if (text.length >= telling && Number.isNaN(Number(text)) && all.includes(text)) return true;
    const name = path.at(-1) ?? '';
    if ([text, `"${text}"`].some((one) => pairs.has(pair(name, one)))) return true;
    const frames = path.indexOf('frames') + 2;
    if (frames > 1 && inStack(path, text, object(at(event, path.slice(0, frames))) ?? {})) return true;
    const [part = ''] = path;
    if (part === 'timestamp') return [Math.floor, Math.round].some((whole) => moments.has(whole(Number(value) * 1000)));
    if (part === 'threads' && value === true) return alone.has(name);
    if (part === 'threads' && name === 'priority') return alone.has(`priority ${text}`);
    if (part === 'contexts' && name === 'result') {
      const { flag } = object(at(event, path.slice(0, -1))) ?? {};
      return pairs.has(pair(String(flag), text));
    }
    if (part === 'exception' && name === 'module') return lines.some((line) => line.startsWith(text));
    if (part === 'request' && name === 'method') return lines.some((line) => line.startsWith(`${text} `));
    // Where they stand says what they are.
    return (
      ['breadcrumbs', 'threads', 'exception', 'contexts'].includes(part) && typeof value === 'string' && alone.has(text)
    );
  };
}

const wholeOnly =
  /^(?:sdk\.(?:integrations|packages|features)|debug_meta|_meta|fingerprint|transaction_info|errors|type|received)\b|^contexts\.\w+\.type$|\.(?:thread_id|registers\.\w+|image_addr|symbol_addr|addr_mode|snapshot|platform|raw_function)$|lock(?:s\.\w+)?\.(?:type|address)$|^threads\.[^.]*\.id$|\.mechanism\.(?:meta|data|exception_id|parent_id|is_exception_group|synthetic)\b/;

/** Why a page does not say a field as it is stored. */
export const drawing: readonly Rule[] = [
  {
    name: 'only in the whole event',
    because:
      'What programs need to put an event together: ids of threads and errors, images, registers, parts of an SDK.',
    holds: ({ path }) => wholeOnly.test(path.join('.')),
  },
  {
    name: 'said in words',
    because: 'How an error was caught and what it is to the one above it are words of the console, marks and tags.',
    holds: ({ pattern }) => /\.mechanism\.(?:handled|type|source)$/.test(pattern),
  },
  {
    name: 'since the event',
    because: 'What came before an error is told by how long before.',
    holds: ({ pattern }) => pattern === 'breadcrumbs.values.*.timestamp',
  },
  {
    name: 'drawn as a mark',
    because: 'Of what kind a step was is seen by its mark.',
    holds: ({ pattern }) => pattern === 'breadcrumbs.values.*.type',
  },
  {
    name: 'its language is seen',
    because: 'A platform decides how stacks are written; it is a key of searches, not a fact of the error.',
    holds: ({ pattern }) => pattern === 'platform',
  },
  {
    name: 'an address has a name',
    because: 'A call that is named needs no place in memory, and one without a name has its place in the binary.',
    holds: ({ path }) => path.at(-1) === 'instruction_addr',
  },
  {
    name: 'as its language says it',
    because: 'Modules of Elixir are written without the word, and assemblies of .NET are no part of a type’s name.',
    holds: ({ path, before }) =>
      ['module', 'package'].includes(path.at(-1) ?? '') &&
      (String(before).startsWith('Elixir.') || String(before).includes(', Version=')),
  },
  {
    name: 'its file says it',
    because: 'A module of Python is its file; a line without a file is none.',
    holds: ({ path, to }) => {
      const { filename } = object(at(to, path.slice(0, -1))) ?? {};
      return path.includes('frames') && path.at(-1) === (filename === undefined ? 'lineno' : 'module');
    },
  },
  {
    name: 'said by more',
    because:
      'One that crashed was running, one that is called main is the main one, and one alone is that of the error.',
    holds: ({ pattern, path, to }) => {
      const { crashed, name } = object(at(to, path.slice(0, 2))) ?? {};
      const isOne = Object.keys(object(to.threads) ?? {}).length === 1;
      return /^threads\..*\.(?:current|main|crashed)$/.test(pattern) && (isOne || crashed === true || name === 'main');
    },
  },
  {
    name: 'with its unit',
    because: 'Bytes and shares are written as people read them.',
    holds: ({ pattern, before }) => pattern.startsWith('contexts.device.') && typeof before === 'number',
  },
];
