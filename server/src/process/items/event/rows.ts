/** The row of an event. */
import { parseSpanId, parseTraceId } from '@culprit/envelope';
import type { WholeErrorRow } from '../../../base/tables/errors.ts';
import type { Event, Exception } from '../../steps/event.ts';
import { factsText } from '../../steps/facts.ts';
import { userIdentity } from '../../steps/normalize/user.ts';
import type { IssueSeed, ItemContext } from '../../types.ts';
import { stackColumns } from './stack-columns.ts';
import { textsNumber } from './texts.ts';

interface RowInput {
  readonly event: Event;
  readonly main: Exception | undefined;
  readonly digest: string;
  readonly traceId: string;
  /** Best first. */
  readonly hashes: readonly string[];
  /** Of the grouping. */
  readonly version: string;
  readonly seed: IssueSeed;
  /** Keys of scripts that would map frames. */
  readonly missing: readonly string[];
  /** The event as JSON. */
  readonly payload: string;
  /** Whom the events met that it stands for. */
  readonly sampledUsers: readonly string[];
}

/** 32 hex digits, '' for none: of the event, else of its envelope. */
export function traceIdOf({ contexts }: Event, { trace }: ItemContext): string {
  return parseTraceId(contexts?.trace?.trace_id) ?? parseTraceId(trace?.trace_id) ?? '';
}

export function errorRow(input: RowInput, context: ItemContext): WholeErrorRow {
  const { event, main, digest, traceId, hashes, version, seed, missing, payload, sampledUsers } = input;
  const { user, sdk } = event;
  const stacks = stackColumns(event);
  // Each column by itself: put together of objects, the row would be made anew with each of them.
  const row: WholeErrorRow = {
    project_id: context.projectId,
    group_hash: hashes[0] ?? '',
    group_hashes: [...hashes],
    grouping_version: version,
    timestamp: Math.round(event.timestamp * 1000),
    received_at: context.receivedAt,
    event_id: event.event_id,
    level: event.level,
    platform: event.platform,
    environment: event.environment ?? '',
    release: event.release ?? '',
    dist: event.dist ?? '',
    transaction: event.transaction ?? '',
    title: seed.title,
    culprit: seed.culprit,
    message: event.logentry?.formatted ?? event.logentry?.message ?? '',
    error_type: main?.type ?? '',
    error_value: main?.value ?? '',
    issue_type: '',
    handled: handledOf(event),
    mechanism: main?.mechanism?.type ?? '',
    user: userIdentity(user),
    user_id: user?.id ?? '',
    user_email: user?.email ?? '',
    user_username: user?.username ?? '',
    user_ip: user?.ip_address ?? '',
    digest,
    trace_id: traceId,
    span_id: parseSpanId(event.contexts?.trace?.span_id) ?? '',
    sdk_name: sdk?.name ?? '',
    sdk_version: sdk?.version ?? '',
    tags: Object.fromEntries(event.tags),
    missing_scripts: [...missing],
    stack_filenames: stacks.stack_filenames,
    stack_abs_paths: stacks.stack_abs_paths,
    stack_functions: stacks.stack_functions,
    stack_modules: stacks.stack_modules,
    stack_packages: stacks.stack_packages,
    stack_lines: stacks.stack_lines,
    stack_columns: stacks.stack_columns,
    stack_in_app: stacks.stack_in_app,
    error_types: stacks.error_types,
    error_values: stacks.error_values,
    error_mechanisms: stacks.error_mechanisms,
    error_main_thread: stacks.error_main_thread,
    payload,
    facts: factsText(event),
    texts: '',
    stands_for: context.standsFor?.events ?? 0,
    sampled_users: [...sampledUsers],
  };
  row.texts = textsNumber(row);
  return row;
}

/** Columns that follow from the payload alone: whoever has read it need not read them. */
export type SaidColumns = Pick<
  WholeErrorRow,
  | 'level'
  | 'platform'
  | 'environment'
  | 'release'
  | 'dist'
  | 'transaction'
  | 'message'
  | 'handled'
  | 'user'
  | 'user_id'
  | 'user_email'
  | 'user_username'
  | 'user_ip'
  | 'span_id'
  | 'sdk_name'
  | 'sdk_version'
  | 'tags'
>;

/** As `errorRow` makes them. `event`: a payload that was stored with such a row. */
export function saidColumns(event: Event): SaidColumns {
  const { user, sdk } = event;
  return {
    level: stored(event.level),
    platform: stored(event.platform),
    environment: stored(event.environment),
    release: stored(event.release),
    dist: stored(event.dist),
    transaction: stored(event.transaction),
    message: stored(event.logentry?.formatted ?? event.logentry?.message),
    handled: handledOf(event),
    user: stored(userIdentity(user)),
    user_id: stored(user?.id),
    user_email: stored(user?.email),
    user_username: stored(user?.username),
    user_ip: stored(user?.ip_address),
    span_id: parseSpanId(event.contexts?.trace?.span_id) ?? '',
    sdk_name: stored(sdk?.name),
    sdk_version: stored(sdk?.version),
    tags: Object.fromEntries(event.tags.map(([name, value]) => [stored(name), stored(value)])),
  };
}

/** Half a pair of UTF-16 is in no column. */
const stored = (text: string | undefined): string => (text ?? '').toWellFormed();

/** One exception that nobody handled makes the whole event unhandled. */
function handledOf(event: Event): 0 | 1 | null {
  let handled: 0 | 1 | null = null;
  for (const { mechanism } of event.exception?.values ?? []) {
    if (mechanism?.handled === false) return 0;
    if (mechanism?.handled === true) handled = 1;
  }
  return handled;
}
