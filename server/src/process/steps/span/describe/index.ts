/**
 * What a span did, in words that calls of one kind share: the text by which spans are grouped. As much is kept as
 * tells one piece of code from another, and nothing that differs from call to call.
 */
import { hash } from 'node:crypto';
import { CameOnce, keyOf, ownText } from '../../known-texts.ts';
import { pathWithoutIds, splitOrigin, urlWithoutIds } from '../path-ids.ts';
import { documentQuery } from './document-query.ts';
import { hostOf, resourceWithoutHashes } from './resource.ts';
import { withoutLiterals } from './sql.ts';

export interface Described {
  /** '' where the span has no name. */
  readonly description: string;
  /** 16 hex digits, '' where there is no description. */
  readonly hash: string;
}

type Attributes = Readonly<Record<string, string>>;

const maxLength = 2000;
const nothing: Described = { description: '', hash: '' };

/** Spans of one program say the same again and again; only short texts are remembered, as what they were described last. */
const remembered = new Map<string, Omit<Source, 'text'> & { readonly family: string; readonly described: Described }>();
const cameOnce = new CameOnce();
/** By family, then by description, which many texts have in common. */
const described = new Map<string, Map<string, Described>>();
let countDescribed = 0;
const maxRemembered = 4000;
const longestRemembered = 1000;

/** The part of an op before its first dot: `db.query` and `db` are one family. */
export function opFamily(op: string): string {
  const dot = op.indexOf('.');
  return dot < 0 ? op : op.slice(0, dot);
}

/** Attributes by today's names. */
export function describeSpan(op: string, name: string, attributes: Attributes): Described {
  const family = opFamily(op);
  const source = sourceOf(family, op, name, attributes);
  if (source.text === '') return nothing;
  const known = remembered.get(source.text);
  if (known?.family === family && known.rule === source.rule && known.detail === source.detail) return known.described;
  const text = rules[source.rule](source.text, source.detail).slice(0, maxLength).toWellFormed();
  const made = text === '' ? nothing : hashed(family, text);
  const { length } = source.text;
  if (length + source.detail.length <= longestRemembered && cameOnce.again(keyOf(source.text, 0, length))) {
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(ownText(source.text), {
      family,
      rule: source.rule,
      detail: ownText(source.detail),
      described: made,
    });
  }
  return made;
}

function hashed(family: string, text: string): Described {
  const known = described.get(family)?.get(text);
  if (known) return known;
  const key = `${family}\0${text}`;
  const made = { description: text, hash: hash('md5', key, 'hex').slice(0, 16) };
  if (key.length <= longestRemembered) {
    if (countDescribed >= maxRemembered) {
      described.clear();
      countDescribed = 0;
    }
    let ofFamily = described.get(family);
    if (!ofFamily) described.set(ownText(family), (ofFamily = new Map()));
    ofFamily.set(text, made);
    countDescribed++;
  }
  return made;
}

interface Source {
  readonly rule: keyof typeof rules;
  readonly text: string;
  /** What else the rule needs: a method, a host, a database system. */
  readonly detail: string;
}

function sourceOf(family: string, op: string, name: string, attributes: Attributes): Source {
  const system = attributes['db.system.name']?.toLowerCase() ?? '';
  if (family === 'db') {
    const text = attributes['db.query.text'] || name;
    return { rule: op === 'db.redis' || system === 'redis' ? 'command' : 'query', text, detail: system };
  }
  if (family === 'cache') return { rule: 'keys', text: name, detail: '' };
  if (family === 'resource') {
    const address = attributes['url.full'] || name;
    return { rule: 'resource', text: address, detail: attributes['server.address'] ?? '' };
  }
  if (op === 'http' || op === 'http.client') return callSource(name, attributes);
  if (family === 'http' || op === 'pageload' || op === 'navigation') return { rule: 'path', text: name, detail: '' };
  if (family === 'browser' && name.includes('://')) return { rule: 'url', text: name, detail: '' };
  return { rule: 'name', text: name, detail: '' };
}

const methodFirst = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|QUERY) +/i;

/** An outgoing call: its method and the fullest address that is known. */
function callSource(name: string, attributes: Attributes): Source {
  const said = methodFirst.exec(name);
  const method = (attributes['http.request.method'] ?? said?.[1] ?? '').toUpperCase();
  const address = attributes['url.full'] || attributes.url || (said ? name.slice(said[0].length) : '');
  if (address === '' || (!address.includes('/') && !attributes['url.full']))
    return { rule: 'name', text: name, detail: '' };
  const host = address.includes('://') ? '' : (attributes['server.address'] ?? '');
  return { rule: 'call', text: address, detail: `${method} ${host}` };
}

const rules = {
  query: (text: string, system: string): string =>
    documentQuery(text) ?? withoutLiterals(text, system === 'mysql' || system === 'mariadb'),
  command: (text: string): string => {
    const command = /^[A-Za-z][\w.-]{0,40}/.exec(text.trimStart())?.[0];
    return command === undefined
      ? '*'
      : text.trim().length > command.length
        ? `${command.toUpperCase()} *`
        : command.toUpperCase();
  },
  keys: (text: string): string => text.replace(/[^\s,:/|.]{1,200}/g, (part) => (/\d/.test(part) ? '*' : part)),
  resource: resourceWithoutHashes,
  call: (address: string, detail: string): string => {
    const space = detail.indexOf(' ');
    const bare = address.split(/[?#]/, 1)[0] ?? '';
    const { origin, path } = splitOrigin(bare);
    const host = hostOf(origin) || detail.slice(space + 1);
    return `${detail.slice(0, space)} ${host}${pathWithoutIds(path || '/')}`.trim();
  },
  url: urlWithoutIds,
  path: (text: string): string => (text.includes('/') ? pathWithoutIds(text.split(/[?#]/, 1)[0] ?? '') : text),
  name: (text: string): string => text,
} as const;
