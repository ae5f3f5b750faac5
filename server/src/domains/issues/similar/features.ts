/** By what issues can be alike: read from the explanation that is stored with a hash, so that no event is needed. */
import { algorithmOf } from '../../../process/steps/group/index.ts';
import type { GroupingComponent } from '../../../process/types.ts';

export interface SimilarFrame {
  /** What of it counts in grouping. */
  readonly key: string;
  /** For people. */
  readonly text: string;
}

export interface Features {
  /** '' for none. */
  readonly type: string;
  /** Those that count, the one that threw last. */
  readonly frames: readonly SimilarFrame[];
  /** With numbers, ids and the like replaced; '' for none. */
  readonly message: string;
}

/** Farther from the crash nothing is looked at. */
const maxFrames = 60;
const maxMessage = 500;

export function readFeatures(explanation: string, version: string): Features {
  const tree = parseTree(explanation);
  const variant = tree.find(({ contributes, id }) => contributes && id !== 'fingerprint');
  if (!variant) return { type: '', frames: [], message: '' };
  const exceptions = (variant.children ?? []).filter(({ id, contributes }) => id === 'exception' && contributes);
  const main = exceptions.at(-1);
  const stacks = exceptions.length
    ? exceptions.flatMap((one) => (one.children ?? []).filter(({ id }) => id === 'stacktrace'))
    : (variant.children ?? []).filter(({ id }) => id === 'stacktrace' || id === 'threads');
  const frames = stacks.flatMap((stack) => (stack.contributes ? (stack.children ?? []) : []));
  const message = leafValue(main ?? variant, main ? 'value' : 'message');
  return {
    type: main ? leafValue(main, 'type') : '',
    frames: frames.flatMap(readFrame).slice(-maxFrames),
    message: message === '' ? '' : algorithmOf(version).messageValue(message).slice(0, maxMessage).toWellFormed(),
  };
}

function parseTree(explanation: string): readonly GroupingComponent[] {
  try {
    const tree: unknown = JSON.parse(explanation);
    return Array.isArray(tree) ? (tree as GroupingComponent[]) : [];
  } catch {
    return [];
  }
}

const leafValue = (component: GroupingComponent, id: string): string =>
  component.children?.find((child) => child.id === id)?.value ?? '';

function readFrame(frame: GroupingComponent): SimilarFrame[] {
  if (frame.id !== 'frame' || !frame.contributes) return [];
  const leaves = frame.children ?? [];
  const key = leaves.flatMap((leaf) => (leaf.contributes ? `${leaf.id} ${leaf.value ?? ''}` : [])).join('\n');
  if (key === '') return [];
  const name = leafValue(frame, 'function') || leafValue(frame, 'context_line');
  const place = leafValue(frame, 'module') || leafValue(frame, 'filename');
  return [{ key, text: name && place ? `${name} in ${place}` : name || place }];
}

/** Words of a message shape, what replaces values among them. */
export const wordsOf = (message: string): string[] => message.toLowerCase().match(/<\w+>|[\p{L}\p{N}_]+/gu) ?? [];
