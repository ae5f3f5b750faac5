/** What of an event rules of ownership are held against. */
import type { SuspectFrame } from '../releases/index.ts';
import { type CodeMapping, mapFrame, plainFramePath, plainPathOfFrame } from '../repositories/index.ts';

/** One file of the stack. */
export interface FramePaths {
  /** As the frame names it, without what bundlers put before it, and as the repository has it; the shortest for people first. */
  readonly spellings: readonly string[];
  /** Where its file lies, by code mappings: only these are sure to be of that repository. */
  readonly mapped: { readonly repositoryId: number; readonly path: string } | undefined;
  /** Without the bundler's part; '' where it names no file. */
  readonly plain: string;
}

export interface Facts {
  /** Of the project's own frames, or of all where none is known to be its own; from the crash outwards. */
  readonly frames: readonly FramePaths[];
  readonly modules: readonly string[];
  /** Of the request; '' for none. */
  readonly url: string;
  readonly tags: ReadonlyMap<string, string>;
  /** The frame of the project's own code that is nearest to the crash, where its source is known. */
  readonly top: SuspectFrame | undefined;
}

const maxFrames = 50;
const longest = 1_000;

type Json = Readonly<Record<string, unknown>>;

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const objects = (value: unknown): Json[] =>
  list(value)
    .map(object)
    .filter((one) => one !== undefined);
const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, longest) : '');

/** The stacks of an event: of its exceptions, the one that was thrown last first, else of its threads, or its own. */
function framesOf(event: Json): Json[] {
  const stacks = (values: unknown): Json[][] =>
    objects(object(values)?.['values'])
      .map((one) => objects(object(one['stacktrace'])?.['frames']))
      .filter((frames) => frames.length > 0)
      .toReversed();
  const thrown = stacks(event['exception']);
  const threads = stacks(event['threads']);
  const own = [objects(object(event['stacktrace'])?.['frames'])];
  const chosen = thrown.length ? thrown : threads.length ? threads.slice(0, 1) : own;
  return chosen.flatMap((frames) => frames.toReversed());
}

/** `payload` is the stored JSON of the event. */
export function factsOf(
  payload: string,
  tags: Readonly<Record<string, string>>,
  mappings: readonly CodeMapping[],
): Facts {
  const event = object(JSON.parse(payload)) ?? {};
  const all = framesOf(event);
  const own = all.filter((frame) => frame['in_app'] === true);
  const frames = own.length ? own : all;
  const paths = new Map<string, FramePaths>();
  const modules = new Set<string>();
  for (const frame of frames) {
    const filename = text(frame['filename']);
    const absPath = text(frame['abs_path']);
    const module = text(frame['module']);
    if (module && modules.size < maxFrames) modules.add(module);
    // Files of one name lie in many packages.
    const key = filename.includes('/') || !module ? `${filename}\n${absPath}` : `${filename}\n${absPath}${module}`;
    if (key === '\n' || paths.has(key) || paths.size >= maxFrames) continue;
    const mapped = mapFrame({ filename, absPath, module }, mappings);
    const plain = plainPathOfFrame({ filename, absPath, module });
    const spellings = [mapped?.path ?? '', plain, filename, absPath, plainFramePath(filename), plainFramePath(absPath)];
    paths.set(key, {
      spellings: [...new Set(spellings)].filter((path) => path !== ''),
      mapped: mapped && { repositoryId: mapped.mapping.repository.id, path: mapped.path },
      plain,
    });
  }
  return {
    frames: [...paths.values()],
    modules: [...modules],
    url: text(object(event['request'])?.['url']),
    tags: new Map(Object.entries(tags)),
    top: topOf(own),
  };
}

function topOf(own: readonly Json[]): SuspectFrame | undefined {
  const [frame] = own;
  if (!frame || object(object(frame['data'])?.['unresolved'])) return undefined;
  const line = frame['lineno'];
  return {
    filename: text(frame['filename']) || null,
    absPath: text(frame['abs_path']) || null,
    function: text(frame['function']) || null,
    lineNo: typeof line === 'number' ? line : null,
  };
}
