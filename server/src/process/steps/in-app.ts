/** Which frames are the project's own code. The last word is the rules'; without one, the SDK's. */
import type { Event, Exception, Frame, Stacktrace } from './event.ts';
import { frameFamily } from './family.ts';
import type { JsonObject } from './json.ts';
import { knownStack } from './known-stacks.ts';
import { isOwnSource } from './symbolicate/index.ts';

/** Folders and hosts that hold other people's code, on every platform. */
const libraryPath =
  /(?:^|[\\/])(?:node_modules|vendor|site-packages|dist-packages|go[\\/]pkg[\\/]mod|\.local[\\/]share)[\\/]|^\/usr\/local\/(?:lib|Cellar)\/|^https?:\/\/(?:[^/]{1,100}\.)?(?:unpkg\.com|cdnjs\.cloudflare\.com|cdn\.jsdelivr\.net|esm\.run)\//;
/** JavaScript that no project wrote: the runtime, bundlers, extensions, helpers of compilers. */
const foreignScript =
  /^(?:node:|org-dartlang-sdk:|internal\/|webpack\/|\(webpack\)|webpack:\/\/\/?webpack\/|<anonymous>$|\[native code\]|native code$|eval code$|(?:chrome|moz|ms-browser|safari|safari-web)-extension:|chrome:\/\/|webkit-masked-url:)|webpack\/(?:bootstrap|runtime)/;
const helperModule = /^(?:@babel|core-js|regenerator-runtime|tslib)\//;
const libraryPackage = /^\/(?:usr\/)?lib\//;
const javaLibrary =
  /^(?:java|javax|jakarta|sun|jdk|kotlin|kotlinx|scala|groovy|android|androidx|dalvik|com\.(?:sun|android|google\.android)|org\.(?:springframework|apache|hibernate|jboss|eclipse|jetbrains|codehaus)|io\.(?:netty|sentry|micrometer|reactivex))\./;
// `.pnpm/x@1.2.3/node_modules/` and its like name a store, not the project's folders.
const packageStore = /[\\/]\.(?:pnpm|yarn)[\\/][^\\/]{1,200}[\\/]node_modules(?=[\\/])/g;

/** The path without the folders of a package manager's store. */
export function withoutPackageStore(path: string): string {
  return path.includes('/.') || path.includes('\\.') ? path.replace(packageStore, '/node_modules') : path;
}

/** The SDK's word on a frame; undefined for none. */
export type Word = boolean | undefined;

/** Decides which frames are the project's own code. */
export interface Judge {
  /** `in_app` of the frame is the SDK's word, `said` what its words on all frames of the stack are worth. */
  readonly isInApp: (frame: Frame, platform: string, said: Said) => boolean;
  /** `words` are the SDK's, one for each frame. */
  readonly readWords: (words: readonly Word[], frames: readonly Frame[], platform: string) => Said;
}

/** `everything`: also of frames without a word; `libraries`: of libraries too, because all frames are theirs. */
export type Said = 'nothing' | 'everything' | 'libraries';

/** Any word will do. */
export const readWords = (words: readonly Word[]): Said =>
  words.some((word) => word !== undefined) ? 'everything' : 'nothing';

/** May decide otherwise, once all frames of the stack are marked. */
type Overrule = (stack: Stacktrace, exception: Exception | undefined) => void;

/** Sets `in_app` on every frame; where the SDK said something else, `data.orig_in_app` keeps its word (1, 0, or -1 for none). */
export function markInApp(event: Event, judge: Judge = { isInApp, readWords }, overrule?: Overrule): void {
  const mark = (stacktrace: Stacktrace | undefined, exception?: Exception): void => {
    // Those of a known stack are marked already.
    if (stacktrace && !knownStack(stacktrace.frames)) markStack(stacktrace, exception, event.platform, judge, overrule);
  };
  for (const exception of event.exception?.values ?? []) mark(exception.stacktrace, exception);
  for (const { stacktrace } of event.threads?.values ?? []) mark(stacktrace);
  mark(event.stacktrace);
}

function markStack(
  stack: Stacktrace,
  exception: Exception | undefined,
  platform: string,
  judge: Judge,
  overrule: Overrule | undefined,
): void {
  const said = stack.frames.map(saidOf);
  const worth = judge.readWords(said, stack.frames, platform);
  for (const [place, frame] of stack.frames.entries()) {
    frame.in_app = said[place];
    frame.in_app = judge.isInApp(frame, platform, worth);
  }
  overrule?.(stack, exception);
  for (const [place, frame] of stack.frames.entries()) {
    const word = said[place];
    const noted = word === frame.in_app ? undefined : word === undefined ? -1 : word ? 1 : 0;
    if (noted !== undefined) frame.data = { ...frame.data, orig_in_app: noted };
    else if (frame.data?.orig_in_app !== undefined) frame.data = withoutWord(frame.data);
  }
}

/** What the SDK said; an event that is stored, and grouped again, has the server's word in its place. */
function saidOf({ in_app, data }: Frame): Word {
  const word = data?.orig_in_app;
  return typeof word === 'number' ? (word === -1 ? undefined : word === 1) : in_app;
}

function withoutWord(data: JsonObject): JsonObject {
  const { orig_in_app: _word, ...rest } = data;
  return rest;
}

export function isInApp(frame: Frame, platform: string): boolean {
  const path = frame.abs_path ?? frame.filename ?? '';
  if (libraryPath.test(path) || (frame.module !== undefined && helperModule.test(frame.module))) return false;
  const family = frameFamily(frame, platform);
  if (family === 'javascript') {
    if (frame.data?.raw !== undefined) return isOwnSource(path);
    if (frame.data?.sourcemap !== undefined) {
      const mapped = mappedInApp(path, frame.filename ?? '');
      if (mapped !== undefined) return mapped;
    }
    if (foreignScript.test(path)) return false;
    return frame.in_app ?? true;
  }
  if (frame.package !== undefined && libraryPackage.test(frame.package)) return false;
  if (family === 'java' && frame.module !== undefined && javaLibrary.test(frame.module)) return false;
  return frame.in_app ?? false;
}

/** Mapped before it was sent: the original path says more than the SDK could know. */
function mappedInApp(path: string, filename: string): boolean | undefined {
  if (path.startsWith('webpack:')) return filename.startsWith('./') ? true : undefined;
  if (path.startsWith('app:')) return true;
  return undefined;
}
