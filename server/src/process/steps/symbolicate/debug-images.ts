/** Which debug files an event names, and which of its frames they are for. */
import type { Event, Frame } from '../event.ts';
import { frameFamily, platformFamily } from '../family.ts';
import { asList, asObject, asText, type JsonObject } from '../json.ts';
import { knownPart } from '../known-parts.ts';
import { parseDebugId, stacktracesOf } from './scripts.ts';

/** What may tell more of an event's frames: debug ids, as debug files are uploaded under them. */
export interface DebugWork {
  readonly event: Event;
  /** Of mappings of ProGuard. */
  readonly mappings: readonly string[];
  /** Of bundles of sources. */
  readonly bundles: readonly string[];
}

/** Stands in an event's missing scripts where the sources of its release would help. */
export const sourcesKey = '~sources';
const maxIds = 50;
/** Nobody has the sources of these at hand for a release. */
const library = /(?:^|[\\/])(?:go[\\/]pkg[\\/]mod|\.cargo[\\/]registry|site-packages|vendor|rustc|node_modules)[\\/]/;

/** With `-trimpath`, the SDK calls nothing the project's own; dependencies have a version in their path. */
const ownModule = /^[\w-]{1,100}(?:\.[\w-]{1,100}){1,5}\/[^@]{1,500}$/;

interface Image {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

interface Images {
  readonly mappings: readonly string[];
  readonly jvm: readonly string[];
  readonly native: readonly Image[];
}

const none: Images = { mappings: [], jvm: [], native: [] };

/** Undefined where no debug file can tell more of the event. */
export function debugWorkOf(event: Event): DebugWork | undefined {
  const { debug_meta: meta } = event;
  const images = meta ? (knownPart(meta)?.derive(imagesOf, () => imagesOf(meta)) ?? imagesOf(meta)) : none;
  const { mappings, jvm, native } = images;
  const isScript = platformFamily(event.platform) === 'javascript';
  if (isScript && mappings.length === 0 && jvm.length === 0) return undefined;
  const lacks = !isScript && lacksSources(event);
  if (mappings.length === 0 && !lacks) return undefined;
  const bundles = new Set(jvm);
  if (lacks && native.length > 0) addImages(event, native, bundles);
  return { event, mappings, bundles: [...bundles] };
}

/** The images that frames without source are in. */
function addImages(event: Event, images: readonly Image[], ids: Set<string>): void {
  for (const { frames } of stacktracesOf(event)) {
    for (const frame of frames) {
      if (frame.instruction_addr === undefined || !lacksSource(frame, event.platform)) continue;
      const at = Number(frame.instruction_addr);
      const image = images.find(({ start, end }) => at >= start && at < end);
      if (image && ids.size < maxIds) ids.add(image.id);
    }
  }
}

/** Keys of what is not there. */
export const missingFiles = ({ event, mappings, bundles }: DebugWork): string[] => [
  ...mappings,
  ...bundles,
  ...(event.release !== undefined && lacksSources(event) ? [sourcesKey] : []),
];

/** Whether the lines around a frame would help. */
export function lacksSource(frame: Frame, platform: string): boolean {
  const { lineno, context_line: line, filename, in_app: own } = frame;
  if (!lineno || line !== undefined || filename === undefined) return false;
  if (own === false && !(platform === 'go' && ownModule.test(filename))) return false;
  return frameFamily(frame, platform) !== 'javascript' && !library.test(frame.abs_path ?? filename);
}

const lacksSources = (event: Event): boolean =>
  stacktracesOf(event).some(({ frames }) => frames.some((frame) => lacksSource(frame, event.platform)));

function imagesOf({ images }: JsonObject): Images {
  const mappings = new Set<string>();
  const jvm = new Set<string>();
  const native: Image[] = [];
  for (const entry of (asList(images) ?? []).slice(0, 1_000)) {
    const image = asObject(entry);
    const type = asText(image?.type);
    if (!image || type === undefined || type === 'sourcemap') continue;
    const id =
      parseDebugId(image.debug_id) ?? parseDebugId(image.uuid) ?? parseDebugId(asText(image.debug_id)?.slice(0, 36));
    if (id === undefined) continue;
    if (type === 'proguard') mappings.add(id);
    else if (type === 'jvm') jvm.add(id);
    else {
      const start = Number(image.image_addr);
      const size = Number(image.image_size);
      if (Number.isFinite(start) && size > 0) native.push({ id, start, end: start + size });
    }
  }
  return { mappings: [...mappings].slice(0, maxIds), jvm: [...jvm].slice(0, maxIds), native };
}
