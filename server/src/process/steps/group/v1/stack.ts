/** Which frames of a stack take part: in the app variant the project's own, in the system variant all. */
import type { Frame, Stacktrace } from '../../event.ts';
import { platformFamily } from '../../family.ts';
import { frameParts, type FrameParts } from './frame.ts';

export interface StackParts {
  readonly frames: readonly (FrameParts & { readonly why?: string })[];
  readonly app: boolean;
  readonly system: boolean;
  /** Why the whole stack is left out, if it is. */
  readonly why?: string;
  /** The frame that threw has lost its name to a minifier: the message must help to tell errors apart. */
  readonly vague: boolean;
}

const noStack: StackParts = { frames: [], app: false, system: false, vague: false };

export function stackParts(stacktrace: Stacktrace | undefined, platform: string): StackParts {
  if (!stacktrace) return noStack;
  const frames: (FrameParts & { why?: string })[] = [];
  let own = 0;
  let app = false;
  let system = false;
  let crash: FrameParts | undefined;
  let previous: Frame | undefined;
  for (const frame of stacktrace.frames) {
    const parts: FrameParts & { why?: string } = frameParts(frame, platform);
    frames.push(parts);
    if (parts.ignored === undefined && previous && isSameFrame(previous, frame)) {
      parts.why = 'ignored: the same frame again (recursion)';
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
  const [only] = frames;
  if (frames.length === 1 && only && isLonePage(only, platform)) {
    return {
      frames,
      app: false,
      system: false,
      vague: false,
      why: 'not used: one frame without a function in a web page',
    };
  }
  // Library frames alone would throw unlike errors of the project together.
  if (!app && own > 0 && crash?.minified === true) {
    return {
      frames,
      app: false,
      system: false,
      vague: false,
      why: 'not used: no name of the project’s own code is known (no source map)',
    };
  }
  return { frames, app, system, vague: app && crash?.minified === true && crash.function !== undefined };
}

/** Whether the frame counts in a variant. */
export function frameCounts(parts: FrameParts & { readonly why?: string }, variant: 'app' | 'system'): boolean {
  return (
    parts.counts && parts.ignored === undefined && parts.why === undefined && (variant === 'system' || parts.inApp)
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
