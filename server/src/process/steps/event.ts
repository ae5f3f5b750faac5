/**
 * An event after normalisation: what the later steps read and what is stored. Names are the wire's. Every text is
 * bounded; the parts typed `unknown` are bags of the client's own, bounded in depth and size by the step `scrub`.
 */
import type { JsonObject } from './json.ts';

export type Pair = [key: string, value: string];
/** Value of a pair may be a list or an object where a query string nests. */
export type LoosePair = [key: string, value: unknown];

export interface Frame {
  function?: string;
  raw_function?: string;
  symbol?: string;
  module?: string;
  package?: string;
  filename?: string;
  abs_path?: string;
  lineno?: number;
  colno?: number;
  in_app?: boolean;
  context_line?: string;
  pre_context?: string[];
  post_context?: string[];
  platform?: string;
  instruction_addr?: string;
  symbol_addr?: string;
  image_addr?: string;
  addr_mode?: string;
  /** How the address was found: `cfi`, `scan`, … */
  trust?: string;
  vars?: unknown;
  /** Of code that is no part of the language's own runtime: Java's `native` methods. */
  native?: true;
  /** What the frame waits for, or holds. */
  lock?: Lock;
  /** `sourcemap` when the frame was mapped, `orig_in_app` when the server decided otherwise than the SDK. */
  data?: JsonObject;
}

export interface Stacktrace {
  frames: Frame[];
  /** Bounds (from, to) of what was left out. */
  frames_omitted?: [number, number];
  /** Taken while the thread went on, so that it may be of another moment than the event. */
  snapshot?: true;
  registers?: unknown;
}

/** A monitor of the JVM. */
export interface Lock {
  /** 1 held, 2 waited for until notified, 4 slept on, 8 blocked by. */
  type?: number;
  address?: string;
  package_name?: string;
  class_name?: string;
  /** Who holds it. */
  thread_id?: ThreadId;
}

/** As sent. */
export type ThreadId = string | number;

export interface Mechanism {
  type: string;
  handled?: boolean;
  synthetic?: boolean;
  source?: string;
  description?: string;
  help_link?: string;
  exception_id?: number;
  parent_id?: number;
  is_exception_group?: boolean;
  data?: unknown;
  meta?: unknown;
}

export interface Exception {
  type?: string;
  value?: string;
  module?: string;
  thread_id?: ThreadId;
  mechanism?: Mechanism;
  stacktrace?: Stacktrace;
}

export interface Thread {
  id?: ThreadId;
  name?: string;
  state?: string;
  daemon?: true;
  priority?: number;
  /** By the address of each. */
  held_locks?: Record<string, Lock>;
  crashed?: boolean;
  current?: boolean;
  main?: boolean;
  stacktrace?: Stacktrace;
}

export interface Breadcrumb {
  /** Seconds since the epoch. */
  timestamp?: number;
  type: string;
  category?: string;
  level: string;
  message?: string;
  event_id?: string;
  data?: unknown;
}

export interface LogEntry {
  message?: string;
  formatted?: string;
  params?: unknown;
}

export interface User {
  id?: string;
  username?: string;
  email?: string;
  ip_address?: string;
  name?: string;
  geo?: unknown;
  data?: JsonObject;
}

export interface HttpRequest {
  method?: string;
  /** Without query and fragment. */
  url?: string;
  query_string?: LoosePair[];
  fragment?: string;
  /** Sorted by name, in canonical case. */
  headers?: Pair[];
  cookies?: Pair[];
  /** Parsed where it was JSON or a form. */
  data?: unknown;
  inferred_content_type?: string;
  env?: JsonObject;
}

export interface Sdk {
  name?: string;
  version?: string;
  integrations?: string[];
  packages?: { name?: string; version?: string }[];
  settings?: { infer_ip?: string };
  client_ip?: string;
}

/** A browser's security report, keys in snake case as SDK-made events have them. */
export interface SecurityReport {
  kind: 'csp' | 'hpkp' | 'expectct' | 'expectstaple';
  report: JsonObject;
}

export interface EventError {
  type: string;
  name?: string;
  value?: string;
}

export interface Event {
  event_id: string;
  /** error, csp, hpkp, expectct, expectstaple or default (a message). */
  type: string;
  level: string;
  platform: string;
  /** Seconds since the epoch, after correction of the sender's clock. */
  timestamp: number;
  received: number;
  logger?: string;
  release?: string;
  dist?: string;
  environment?: string;
  server_name?: string;
  transaction?: string;
  transaction_info?: JsonObject;
  fingerprint?: string[];
  checksum?: string;
  logentry?: LogEntry;
  exception?: { values: Exception[] };
  threads?: { values: Thread[] };
  stacktrace?: Stacktrace;
  template?: { filename?: string; abs_path?: string; lineno?: number; context_line?: string };
  csp?: JsonObject;
  hpkp?: JsonObject;
  expectct?: JsonObject;
  expectstaple?: JsonObject;
  breadcrumbs?: { values: Breadcrumb[] };
  user?: User;
  request?: HttpRequest;
  contexts?: Record<string, JsonObject>;
  tags: Pair[];
  extra?: JsonObject;
  modules?: Record<string, string>;
  sdk?: Sdk;
  debug_meta?: JsonObject;
  errors?: EventError[];
  _meta?: JsonObject;
}

/** Value of a tag; undefined where the event has none of that name. */
export function tagValue(event: Event, name: string): string | undefined {
  for (const [key, value] of event.tags) if (key === name) return value;
  return undefined;
}
