/** Which frames of a stack take part: in the app variant the project's own, in the system variant all. */
import type { Frame, Stacktrace } from '../event.ts';
import { platformFamily } from '../family.ts';
import { because, ignored, unused } from '../../../base/texts/grouping.ts';
import type { Algorithm } from './algorithm.ts';
import { frameParts, type FrameParts } from './frame.ts';
import { ruleName, type StackEffects } from './stack-trace-effects.ts';

export type VariantId = 'app' | 'system';

export interface StackFrame extends FrameParts {
  /** Why the frame is left out beside what it is itself. */
  why?: string;
  /** Beyond the frames that a rule lets count. */
  beyond?: Partial<Record<VariantId, string>>;
  /** Which rule made it the project's own code, or not. */
  marked?: string;
}

export interface StackParts {
  readonly frames: readonly StackFrame[];
  readonly app: boolean;
  readonly system: boolean;
  /** Why the whole stack is left out, if it is. */
  readonly why?: string;
  /** The frame that threw has lost its name to a minifier: the message must help to tell errors apart. */
  readonly vague: boolean;
  /** Left out because no name of the project's own code is known. */
  readonly nameless?: boolean;
  /** Canonical lists of what counts, once they were made. */
  readonly listed: Partial<Record<VariantId, string>>;
}

const noStack: StackParts = { frames: [], app: false, system: false, vague: false, listed: {} };

export function stackParts(
  stacktrace: Stacktrace | undefined,
  platform: string,
  algorithm: Algorithm,
  effects?: StackEffects,
): StackParts {
  if (!stacktrace) return noStack;
  const frames = stacktrace.frames.map((frame, place) =>
    withEffects(frameParts(frame, platform, algorithm), effects, place),
  );
  let own = 0;
  let app = false;
  let system = false;
  let crash: FrameParts | undefined;
  let previous: Frame | undefined;
  for (const [place, parts] of frames.entries()) {
    const { frame } = parts;
    const kept = effects?.frames[place]?.group?.on === true;
    // One that says nothing is not known to be the same.
    if (parts.counts && parts.ignored === undefined && !kept && previous && isSameFrame(previous, frame)) {
      parts.why = ignored.recursion;
    } else if (parts.ignored === undefined) {
      if (parts.inApp) {
        own++;
        crash = parts;
      }
      if (parts.counts) {
        system = true;
        if (parts.inApp) app = true;
      }
    }
    previous = frame;
  }
  const leftOut = (why: string): StackParts => ({ frames, app: false, system: false, vague: false, why, listed: {} });
  const [only] = frames;
  if (frames.length === 1 && only && isLonePage(only, platform)) {
    return leftOut(unused.lonePage);
  }
  // Library frames alone would throw unlike errors of the project together.
  if (!app && own > 0 && crash?.minified === true) {
    return {
      ...leftOut(unused.noOwnName),
      nameless: true,
    };
  }
  if (effects) {
    const limited = limit(frames, effects);
    app &&= limited.app;
    system &&= limited.system;
    if (limited.why !== undefined && !app && !system) return leftOut(limited.why);
  }
  return { frames, app, system, vague: app && crash?.lostName === true, listed: {} };
}

function withEffects(parts: FrameParts, effects: StackEffects | undefined, place: number): StackFrame {
  const effect = effects?.frames[place];
  if (!effect) return parts;
  const { group, app } = effect;
  const marked = app && because.marked(app.on, ruleName(app.rule));
  const left = group ? (group.on ? undefined : ignored.byRule(ruleName(group.rule))) : parts.ignored;
  return { ...parts, ignored: left, ...(marked !== undefined && { marked }) };
}

/** Leaves out what is beyond the limits of the project's rules. */
function limit(
  frames: readonly StackFrame[],
  { max, min }: StackEffects,
): { readonly app: boolean; readonly system: boolean; readonly why?: string } {
  const counting = { app: 0, system: 0 };
  for (const variant of ['app', 'system'] as const) {
    for (const parts of frames.toReversed()) {
      if (!frameCounts(parts, variant)) continue;
      counting[variant]++;
      if (!max || max.count === 0 || counting[variant] <= max.count) continue;
      counting[variant]--;
      const why = unused.tooManyFrames(max.count, ruleName(max.rule));
      parts.beyond = { ...parts.beyond, [variant]: why };
    }
  }
  const least = min?.count ?? 0;
  const enough = {
    app: counting.app > 0 && counting.app >= least,
    system: counting.system > 0 && counting.system >= least,
  };
  return min ? { ...enough, why: unused.fewFrames(min.count, ruleName(min.rule)) } : enough;
}

/** The one nearest to the crash; of the project's own where there are any. */
export function lastCounting(stack: StackParts): StackFrame | undefined {
  const variant = stack.app ? 'app' : 'system';
  return stack.frames.findLast((parts) => frameCounts(parts, variant));
}

/** Whether the frame counts in a variant. */
export function frameCounts(parts: StackFrame, variant: VariantId): boolean {
  return (
    parts.counts &&
    parts.ignored === undefined &&
    parts.why === undefined &&
    parts.beyond?.[variant] === undefined &&
    (variant === 'system' || parts.inApp)
  );
}

function isSameFrame(a: Frame, b: Frame): boolean {
  return (
    a.function === b.function &&
    a.lineno === b.lineno &&
    a.colno === b.colno &&
    a.module === b.module &&
    a.filename === b.filename &&
    a.abs_path === b.abs_path &&
    a.package === b.package
  );
}

function isLonePage(parts: FrameParts, platform: string): boolean {
  if (platformFamily(parts.frame.platform ?? platform) !== 'javascript') return false;
  return (
    parts.frame.function === undefined &&
    /^(?:https?|blob|applewebdata|file):/i.test(parts.frame.abs_path ?? parts.frame.filename ?? '')
  );
}
