/** As in version 2, and what starts and ends a stack of Linux and of Rust. */
import type { Family } from '../../family.ts';
import type { StackTraceRule } from '../rules/stack-trace-rules.ts';
import { baseRules as before, builtIn } from '../v2/base-rules.ts';

const sdkOfRust = 'sentry{,_core,_panic,_backtrace,_log,_slog,_tracing,_anyhow,_actix,_tower,_opentelemetry}::*';

const native = [
  ...before('native'),
  ...builtIn(
    [
      'family:native function:{_start,__libc_start_main*,__libc_start_call_main,start_thread,__clone*,clone3} category=threadbase',
      // Of a panic, what comes after is the way to the hook that reports it.
      'family:native function:*__rust_end_short_backtrace* ^-group -group',
      'family:native function:core::panicking::* ^-group -group',
      'family:native function:{rust_begin_unwind,__rustc::rust_begin_unwind} ^-group -group',
      `family:native function:${sdkOfRust} -app -group`,
    ].join('\n'),
  ),
];

export function baseRules(family: Family): readonly StackTraceRule[] {
  return family === 'native' ? native : before(family);
}
