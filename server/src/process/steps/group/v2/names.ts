/** Names of functions and classes without what engines, compilers and builds put into them. */
import type { Family } from '../../family.ts';
import * as before from '../names.ts';

export function shortName(raw: string, family: Family): string {
  if (family === 'javascript') return scriptName(raw);
  if (family === 'native') return nativeName(raw);
  return before.shortName(raw, family);
}

const areas = new Set(['global code', 'module code', 'eval code', 'anonymous function', 'anonymous']);

/**
 * What the three engines say of one function becomes one name: Chrome `async Cart.load [as pay]` and `new Cart`,
 * Firefox `async*load`, `open/load` and `open/load<`, Safari `load` and `module code`.
 */
function scriptName(raw: string): string {
  const alias = raw.indexOf(' [as ');
  let name = (alias < 0 ? raw : raw.slice(0, alias)).trim();
  if (areas.has(name)) return '';
  const async = name.lastIndexOf('*');
  if (async >= 0) name = name.slice(async + 1);
  name = name.replace(/^(?:async |new |get |set |static |bound )+/, '');
  if (name.startsWith('<') || name.startsWith('[')) return name;
  // Firefox's word for a function without a name inside another.
  if (name.endsWith('/<')) return '';
  const last = /\/([\w$.]+)<?$/.exec(name)?.[1] ?? name;
  return last.slice(last.lastIndexOf('.') + 1).trim();
}

/** Java's generated classes count by what they were generated from. */
export function javaModule(module: string): string {
  const made = /^(.{0,200}GeneratedConstructorAccessor)\d+/.exec(module);
  return made ? `${made[1]}<auto>` : before.javaModule(module);
}

/** C++ and Rust names without parameters, return type and hash; what stands in angle brackets is one letter. */
function nativeName(raw: string): string {
  const name = raw
    .slice(0, 1_000)
    .replace(/::h[\da-f]{16}$/, '')
    .replace(/(?: const)?(?: \[clone [^\]]{1,80}\])?$/, '');
  if (/^[-+]\[/.test(name)) return name;
  const bare = withoutTypes(name, 0);
  const open = bare.includes('operator()') ? -1 : bare.search(/\((?!anonymous|anon)/);
  return (open > 0 ? bare.slice(0, open) : bare).replace(/^(?:[\w:<>]+[*&]*\s)+(?=[\w:~<>{}]+$)/, '').trim();
}

const maxDepth = 4;
/** Each is looked for to the end of the name. */
const maxUnclosed = 8;

/** `<Then<A, B> as Future>::poll` is `Then<T>::poll`; brackets that are not closed stay. */
function withoutTypes(name: string, depth: number): string {
  let result = '';
  let unclosed = 0;
  for (let index = 0; index < name.length; index++) {
    const char = name[index] ?? '';
    const opens = char === '<' && unclosed < maxUnclosed && !/operator<?$/.test(result.slice(-10));
    const end = opens ? closing(name, index) : -1;
    if (end < 0) {
      if (opens) unclosed++;
      result += char;
      continue;
    }
    const inner = name.slice(index + 1, end);
    const isType = index === 0 || /[\s(,&*]/.test(name[index - 1] ?? '');
    if (isType && /::| as /.test(inner)) {
      result += depth < maxDepth ? withoutTypes(beforeAs(inner), depth + 1) : 'T';
    } else result += isType ? `<${inner}>` : '<T>';
    index = end;
  }
  return result;
}

function beforeAs(inner: string): string {
  let depth = 0;
  for (let index = 0; index < inner.length; index++) {
    const char = inner[index];
    if (char === '<') depth++;
    else if (char === '>' && inner[index - 1] !== '-') depth--;
    else if (depth === 0 && inner.startsWith(' as ', index)) return inner.slice(0, index);
  }
  return inner;
}

function closing(name: string, open: number): number {
  let depth = 0;
  for (let index = open; index < name.length; index++) {
    const char = name[index];
    if (char === '<') depth++;
    else if (char === '>' && name[index - 1] !== '-' && --depth === 0) return index;
  }
  return -1;
}
