/** What frames of Rust belong to: the program, crates that others wrote, or the standard library and libc beneath. */
import type { Frame } from '../../event.ts';

/** `unknown`: nothing says that it is Rust's. */
export type RustPart = 'program' | 'crate' | 'standard' | 'unknown';

const standardCrates = new Set(
  'core alloc std proc_macro compiler_builtins std_detect panic_unwind panic_abort __rustc backtrace gimli'.split(' '),
);
/** Where a build without debug information leaves no path. */
const foreignCrates = new Set(
  (
    'anyhow eyre color_eyre log tracing tracing_core tracing_subscriber tracing_log slog env_logger fern tokio ' +
    'tokio_util tokio_stream tokio_postgres tokio_rustls async_std async_executor smol futures futures_core futures_util ' +
    'futures_executor futures_channel mio polling hyper hyper_util http http_body h2 h3 quinn rustls native_tls openssl ' +
    'reqwest ureq isahc tower tower_http tower_layer tower_service axum axum_core actix actix_web actix_http actix_rt ' +
    'actix_server actix_service actix_router rocket warp tide poem salvo tonic prost serde serde_json serde_yaml ' +
    'serde_urlencoded toml bincode sqlx sqlx_core sqlx_postgres sqlx_mysql sqlx_sqlite diesel sea_orm rusqlite postgres ' +
    'mysql mongodb redis deadpool r2d2 bb8 rdkafka lapin rayon rayon_core crossbeam crossbeam_channel crossbeam_utils ' +
    'parking_lot parking_lot_core once_cell lazy_static hashbrown indexmap smallvec bytes itertools chrono uuid rand ' +
    'regex regex_automata clap opentelemetry opentelemetry_sdk wasm_bindgen tauri sentry'
  ).split(' '),
);

const partOfCrate = (crate: string): RustPart =>
  standardCrates.has(crate)
    ? 'standard'
    : foreignCrates.has(crate) || crate.startsWith('sentry_')
      ? 'crate'
      : 'program';

/** The compiler's library and the C library beneath, by where they were built. */
const standardPath =
  /^[\\/]rustc[\\/]|[\\/]\.?rustup[\\/]|^(?:\.{1,2}[\\/])+(?:(?:csu|nptl|sysdeps)[\\/]|\w{1,20}[\\/]\.\.[\\/]sysdeps[\\/])|[\\/]glibc-/;
const registryPath = /[\\/]\.?cargo[\\/](?:registry|git)[\\/]/;
const packedCrate = /[\\/]([\w-]{1,100})-\d{1,6}\.\d{1,6}\.[\w.+-]{1,60}[\\/]/;
const startOfProcess = /^(?:_start|__libc_start\w{0,40}|start_thread|__clone\w{0,10}|clone3)$/;

export function partOfRust(frame: Frame): RustPart {
  const name = frame.function ?? frame.symbol ?? '';
  // A line of a printed backtrace may have been taken for a name.
  if (startOfProcess.test(name) || name.startsWith('at /')) return 'standard';
  const path = frame.abs_path ?? frame.filename ?? '';
  if (standardPath.test(path)) return 'standard';
  const crate = frame.package !== undefined && /^\w{1,100}$/.test(frame.package) ? frame.package : undefined;
  // Before 2019, code of macros had `<::log::macros::log macros>` for a file.
  if (!/[\\/][^<]{1,200}$/.test(path)) {
    // The way from C to Rust's own start, which has no source.
    if (name === 'main' && path === '' && frame.package === undefined) return 'standard';
    return partOfCrates(cratesOf(name, crate));
  }
  if (!registryPath.test(path)) return crate === undefined ? 'unknown' : 'program';
  // A macro of another crate, in a function of one's own, is one's own.
  const packed = packedCrate.exec(path)?.[1]?.replaceAll('-', '_');
  return crate === undefined || crate === packed || partOfCrate(crate) !== 'program' ? 'crate' : 'program';
}

/** Of several, an own one says most: a trait of one's own may be implemented for a type of others. */
function partOfCrates(crates: readonly string[]): RustPart {
  const parts = crates.map(partOfCrate);
  return (['program', 'crate', 'standard'] as const).find((part) => parts.includes(part)) ?? 'unknown';
}

/** `<alloc::vec::Vec<T> as shop::Total>::total` is of `alloc` and `shop`; of names that are not Rust's, nothing is known. */
function cratesOf(name: string, crate: string | undefined): string[] {
  if (!/^_?<|^&/.test(name)) return crate === undefined ? [] : [crate];
  const short = name.slice(0, 600);
  const at = short.lastIndexOf(' as ');
  const types = at < 0 ? [short] : [short.slice(0, at), short.slice(at + ' as '.length)];
  return types.flatMap((type) => /^[^\w]{0,20}(?:(?:dyn|mut|const|impl)\s)*(\w{1,100})::/.exec(type)?.[1] ?? []);
}
