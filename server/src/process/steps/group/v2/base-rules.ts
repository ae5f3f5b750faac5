/**
 * What machine code, and Java, have around the project's own functions: the system starts threads, unwinds, allocates and
 * reports crashes. Frames get a category by name or library; categories and their neighbours decide what counts.
 */
import type { Family } from '../../family.ts';
import { parseStackTraceRules, type StackTraceRule } from '../rules/stack-trace-rules.ts';

const libraries: Readonly<Record<string, readonly string[]>> = {
  system: [
    '/usr/lib/**',
    '/system/**',
    '/vendor/**',
    '/System/Library/**',
    'C:/Windows/**',
    '{CoreFoundation,Foundation,CFNetwork,IOKit,QuartzCore,WebKit,libdispatch.dylib,libobjc*,libsystem*}',
    '/apex/com.android.*/lib*/**',
  ],
  ui: ['{UIKit,UIKitCore,SwiftUI,AttributeGraph,CoreAutoLayout,GraphicsServices}'],
  av: ['{AudioToolbox*,libAudioToolboxUtility.dylib}', '/system/lib/lib{media,audioclient}.so'],
  malloc: ['**/libsystem_malloc.dylib'],
  gl: ['{OpenGLES,GLEngine}', '**/{OpenGL,OpenCL}.framework/**', '**/{opengl32.dll,libEGL.so,libGLES*.so,libskia.so}'],
  driver: [
    '**/{DriverStore,NVIDIA Corporation}/**',
    '/System/Library/Extensions/{AppleIntel*,GeForce*,AMDRadeon*}/**',
    '**/{nvcuda.dll,libGPUSupportMercury.dylib,AGXGLDriver}',
  ],
};

const functions: Readonly<Record<string, readonly string[]>> = {
  system: ['{memset,memcpy,__memcpy,memcmp}'],
  std: ['{std,boost}::*'],
  runtime: ['art::jit::*'],
  internals: ['std::_*', '__swift_*', 'block_destroy_helper*', '{closure,range,@callee_guaranteed}', '_INTERNAL*'],
  threadbase: [
    '{__pthread_start,_pthread_start,_pthread_body,_pthread_wqthread}',
    '{thread_start,start_wqthread,_dispatch_worker_thread2,UIApplicationMain,wWinMain,invoke_main}',
    '{BaseThreadInitThunk,RtlUserThreadStart,RtlpTpWorkCallback,TppWorkerThread,TppWorkpExecuteCallback}',
    'boost::*::thread_proxy',
  ],
  malloc: ['{malloc,malloc_base,RtlpAllocateHeapInternal}', 'std::*::allocator_traits*'],
  indirection: [
    '*::operator()*',
    '*<lambda>*',
    '__dynamic_cast',

    'boost::{function*,_bi::*,detail::function::functor_manager*}',
    'Array.subscript.*',
    '*.cold.1',
  ],
  dtor: ['*::\\{dtor\\}', "destructor'"],
  handler: ['{RtlpExecuteHandlerForException,_sigtramp,DispatchHookW,execute_onexit_table}'],
  throw: [
    '{abort,raise,std::terminate,_CxxThrowException,RaiseException,RaiseComPlusException,TppRaiseInvalidParameter}',
    '{objc_exception_throw,_CFThrowFormattedException,RtlExitUserThread}',
  ],
  free: ['{free,RtlFreeHeap,RtlFreeUnicodeString,std::_Deallocate,objc_release,_CFRelease,_swift_release_dealloc}'],
  load: ['{dlopen,dladdr}'],
  telemetry: ['{gpusGenerateCrashLog*,gpusKillClientExt,crashpad::*}'],
  driver: ['*CUDA*'],
};

/** A frame that is only the way from one of the first to one of the second is told by the first. */
const within: readonly (readonly [caller: string, frame: string])[] = [
  ['gl', 'gl'],
  ['av', 'av'],
  ['malloc', 'malloc'],
  ['throw', 'throw'],
];
const helpers: readonly (readonly [caller: string, frame: string])[] = [
  ['free', 'system'],
  ['system', 'system'],
  ['std', 'system'],
  ['std', 'std'],
  ['ui', 'ui'],
  ['ui', 'system'],
  ['internals', 'system'],
  ['internals', 'ui'],
  ['load', 'system'],
  ['load', 'load'],
  ['throw', 'system'],
  ['runtime', 'system'],
  ['runtime', 'runtime'],
  ['dtor', 'dtor'],
];

const own = [
  '/{private/,}var/containers/Bundle/Application/**',
  '**/{Containers/Bundle/Application,Developer/CoreSimulator/Devices}/**',
  '**.app/Contents/**',
  '/Users/**',
];
const borders =
  '{std,core}::panicking::begin_panic,failure::backtrace::Backtrace::new,error_chain::make_backtrace,_CxxThrowException,__cxa_throw,__assert_rtn,_NSRaiseError';

const inside = ([caller, frame]: readonly [string, string]): string =>
  `[ category:${caller} ] | category:${frame} category=internals`;
const named = (key: 'package' | 'function', table: typeof libraries): string[] =>
  Object.entries(table).flatMap(([category, globs]) =>
    globs.map((glob) => `family:native ${key}:${JSON.stringify(glob)} category=${category}`),
  );

const nativeText = [
  ...own.map((glob) => `family:native package:${glob} +app`),
  'family:native package:/{usr/,}lib/** -app',
  'family:native path:/usr/local/{lib,Cellar}/** -app',
  'family:native function:{std,core,alloc}::* -app',
  'family:native function:{__rust_*,rust_begin_unwind} -app',
  `family:native function:{${borders}} ^-group -group ^-app -app`,
  'family:native function:{std,core}::panicking::panic_fmt ^-app -app',
  'family:native function:_mh_execute_header -group -app',
  'family:native function:google_breakpad::* -app -group',
  'family:native function:{kscm_*,sentrycrashcm_*,kscrash_*,*sentrycrash_*} -app -group',
  'family:native function:"?[[]{KSCrash,RNSentry,Sentry}*" -app -group',
  'family:native package:**/Frameworks/{libswift*.dylib,{KSCrash,SentrySwift,Sentry}.framework/**} -app',
  ...named('package', libraries),
  ...named('function', functions),
  'family:native function:*_block_invoke* app:no category=internals',
  'family:native package:{/usr/lib/system/**,libdyld.dylib} function:start category=threadbase',
  'family:native package:**/libsystem_pthread.dylib function:"<unknown>" category=threadbase',
  // Of drivers only the last of a row: those before it change with every version.
  'category:driver | [ category:driver ] category=internals',
  ...within.map(inside),
  'category:throw ^-group',
  '[ function:_purecall ] | category:throw category=internals',
  'category:system -app',
  'category:threadbase -group v-group',
  'category:handler ^-group -group',
  'family:native category:system function:_* !function:_purecall category=internals',
  'family:native category:system function:"<unknown>" category=internals',
  '[ !category:system ] | category:system | [ !category:system ] category=indirection',
  ...helpers.map(inside),
  'category:telemetry -group',
  'category:indirection -group',
  'category:internals -group',
].join('\n');

const javaText = [
  'module:io.sentry.* -app -group',
  'module:java.* category=std',
  'module:java.lang.reflect.* category=indirection',
  'module:{java.util.concurrent.ThreadPoolExecutor*,android.os.AsyncTask*} function:{runWorker,call} category=threadbase',
  'module:android.{os.Looper,os.Handler,app.ActivityThread} function:{loop,dispatchMessage,handleCallback,main} category=threadbase',
  'category:threadbase -group v-group',
  '[ category:std ] | category:std category=internals',
  'category:{indirection,internals} -group',
].join('\n');

/** In the order in which they are applied; line 0 tells them from a project's own. */
export const builtIn = (text: string): readonly StackTraceRule[] =>
  parseStackTraceRules(text).rules.map((rule) => ({ ...rule, line: 0 }));

const rules: Readonly<Partial<Record<Family, readonly StackTraceRule[]>>> = {
  native: builtIn(nativeText),
  java: builtIn(javaText),
};

/** What is applied before the project's own rules; nothing for most platforms. */
export function baseRules(family: Family): readonly StackTraceRule[] {
  return rules[family] ?? [];
}
