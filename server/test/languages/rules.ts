/** Every way in which a field may differ after it was stored, or shown, and why. */
import { at, type Field, type Rule } from './compare.ts';

const isEmpty = (value: unknown): boolean => value === null || value === '';

const [oldest, most, full] = [50, 250, 50];
const source = new Set(['vars', 'pre_context', 'post_context']);

/** The place of a frame among those that stay; undefined where it goes. */
function placeOf(index: number, count: number): number | undefined {
  if (count <= most || index < oldest) return index;
  const place = index - (count - most);
  return place >= oldest ? place : undefined;
}

function isShortened({ path, before, from, to }: Field): boolean {
  const frames = path.indexOf('frames') + 1;
  const list = frames > 0 ? at(from, path.slice(0, frames)) : undefined;
  if (!Array.isArray(list)) return false;
  if (list.length > full && source.has(path[frames + 1] ?? '')) return true;
  const place = placeOf(Number(path[frames]), list.length);
  return place === undefined || at(to, path.with(frames, String(place))) === before;
}

const isFiltered = (value: unknown): boolean => typeof value === 'string' && value.includes('[Filtered]');

/** Secrets in a text may be next to what stays. */
const isScrubbed = ({ after, path, to }: Field): boolean =>
  isFiltered(after) || (after === undefined && [1, 2, 3].some((up) => isFiltered(at(to, path.slice(0, -up)))));

const isTime = ({ before, after }: Field): boolean =>
  typeof before === 'number' && typeof after === 'number' && Math.abs(before - after) < 0.001;

function isMoved({ pattern, before, after, from, to }: Field): boolean {
  if (typeof before !== 'number' || typeof after !== 'number') return false;
  // It was sent as soon as it happened, give or take what a program does until it ends.
  if (pattern === 'timestamp') return after > before && Number(to.received) - after < 60;
  return (
    pattern.endsWith('.timestamp') && Math.abs(after - before - (Number(to.timestamp) - Number(from.timestamp))) < 0.001
  );
}

export const storing: readonly Rule[] = [
  {
    name: 'nothing said',
    because: 'null and the empty text say as much as no field.',
    holds: ({ before, after }) => isEmpty(before) && (after === undefined || isEmpty(after)),
  },
  {
    name: 'scrubbed',
    because: 'Passwords, tokens and card numbers are not kept; _meta says so.',
    holds: isScrubbed,
  },
  {
    name: 'to the microsecond',
    because: 'Times are numbers of seconds; more digits than a microsecond mean nothing to a clock.',
    holds: isTime,
  },
  {
    name: 'moved with its clock',
    because:
      'A recording is as old as if its sender had a wrong clock: all times of an event are moved by the difference.',
    holds: isMoved,
  },
  {
    name: 'middle of a deep stack',
    because:
      'Of more than 250 frames the first 50 and last 200 stay, and of more than 50 those in the middle keep no source.',
    holds: isShortened,
  },
  {
    name: 'bounded locals',
    because: 'A local has a budget; what is beyond is cut, and _meta says so.',
    holds: ({ path, after, before }) =>
      path.includes('vars') &&
      (after === undefined || (typeof after === 'string' && String(before).length > after.length)),
  },
  {
    name: 'default said',
    because: 'A level or type that is not said has the value that everyone assumes.',
    holds: ({ pattern, before, after }) =>
      /\.(?:level|type)$/.test(pattern) && isEmpty(before) && (after === 'info' || after === 'default'),
  },
  {
    name: 'in-app decided',
    because:
      'Compilers, their libraries, registries and SDKs are nobody’s own code, whatever an SDK takes from their names.',
    holds: ({ path, before, after }) =>
      path.at(-1) === 'in_app' && typeof before === 'boolean' && typeof after === 'boolean',
  },
  {
    name: 'false said',
    because:
      'A thread that is not said to have crashed, and a frame that is not said to be native, have not and are not.',
    holds: ({ path, before, after }) =>
      before === false &&
      after === undefined &&
      /^(?:crashed|native|current|daemon|main|snapshot|synthetic)$/.test(path.at(-1) ?? ''),
  },
  {
    name: 'root of the sources',
    because: 'Ruby repeats the root with each frame; the path relative to it is kept.',
    holds: ({ path }) => path.at(-1) === 'project_root',
  },
  {
    name: 'header read as cookies',
    because: 'Cookies have a place of their own in a request.',
    holds: ({ pattern, to }) => pattern === 'request.headers.cookie' && at(to, ['request', 'cookies']) !== undefined,
  },
  {
    name: 'names are texts',
    because: 'A user has one name, whether an SDK takes it for a number or a text.',
    holds: ({ pattern, before, after }) => pattern === 'user.id' && String(before) === after,
  },
  {
    name: 'quotes of raven',
    because: 'It sends each parameter as Python writes it down, in quotes.',
    holds: ({ pattern, before, after }) => pattern === 'logentry.params.*' && before === `'${String(after)}'`,
  },
  {
    name: 'without NUL',
    because: 'No store takes the character, and PHP has it in the names of anonymous classes.',
    holds: ({ before, after }) => typeof before === 'string' && before.replaceAll('\0', '\uFFFD') === after,
  },
  {
    name: 'for makers of SDKs',
    because: 'Which features of an SDK are used, and where .NET keeps a method in its metadata, nobody reads here.',
    holds: ({ pattern }) => pattern === 'sdk.features.*' || pattern.endsWith('.function_id'),
  },
  {
    name: 'of the old protocol',
    because: 'The project is that of the key, and the time that a request took was never used.',
    holds: ({ pattern }) => pattern === 'project' || pattern === 'time_spent',
  },
];

const wholeOnly =
  /^(?:sdk\.(?:integrations|packages)|transaction_info|fingerprint|debug_meta)\b|\.(?:registers\.\w+|image_addr|addr_mode)$/;

/** The API's own way to say nothing. */
export const showing: readonly Rule[] = [
  ...storing.filter(({ name }) => name === 'nothing said'),
  {
    name: 'to the millisecond',
    because: 'The API tells moments as ISO texts.',
    holds: ({ before, after }) =>
      typeof before === 'number' && typeof after === 'number' && Math.abs(before - after) < 0.0011,
  },
  {
    name: 'only in the whole event',
    because: 'What no page shows is left to …/json/: parts of an SDK, its own fingerprint, loaded images, registers.',
    holds: ({ pattern, after }) => after === undefined && wholeOnly.test(pattern),
  },
];
