/** Which frames are the project's own code. The last word is the rules'; without one, the SDK's. */
import type { Event, Frame, Stacktrace } from './event.ts';
import { frameFamily } from './family.ts';
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

/** Sets `in_app` on every frame; where that differs from what the SDK said, `data.orig_in_app` keeps the SDK's word (1, 0, or -1 for none). */
export function markInApp(event: Event): void {
  for (const { stacktrace } of event.exception?.values ?? []) markStack(stacktrace, event.platform);
  for (const { stacktrace } of event.threads?.values ?? []) markStack(stacktrace, event.platform);
  markStack(event.stacktrace, event.platform);
}

function markStack(stacktrace: Stacktrace | undefined, platform: string): void {
  for (const frame of stacktrace?.frames ?? []) {
    const said = saidOf(frame);
    frame.in_app = said;
    frame.in_app = isInApp(frame, platform);
    if (said !== undefined && said !== frame.in_app) frame.data = { ...frame.data, orig_in_app: said ? 1 : 0 };
  }
}

/** What the SDK said; an event that is stored, and symbolicated again, has the server's word in its place. */
function saidOf({ in_app, data }: Frame): boolean | undefined {
  return typeof data?.orig_in_app === 'number' ? data.orig_in_app === 1 : in_app;
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
