/** Exceptions out of the text of a stack, as languages print them. What cannot be read gives none. */
import {
  readStack,
  type StackException,
  type StackFrame,
  type StackLanguage,
  type StackRelation,
} from '@culprit/stacktrace';
import type { JsonObject } from '../../steps/json.ts';

/** Names of an exception as OpenTelemetry's attributes give them; empty where there is none. */
export interface ExceptionTexts {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

const languages: Readonly<Record<string, StackLanguage>> = {
  csharp: 'csharp',
  elixir: 'elixir',
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  node: 'javascript',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
};

/** Languages whose SDKs tell the type without its module. */
const withModules = new Set(['csharp', 'java', 'python']);

/** The reported one first, without the calls of OpenTelemetry itself. `platform` is that of the span. */
export function readExceptions(text: string, platform: string): readonly StackException[] {
  const language = Object.hasOwn(languages, platform) ? languages[platform] : undefined;
  const read = language === undefined || text === '' ? undefined : readStack(text, language);
  return read?.exceptions.map((one) => ({ ...one, frames: withoutRecorder(one.frames, platform) })) ?? [];
}

/** Python's context managers of spans stand between the project's calls, Go's recorder after the last one. */
function withoutRecorder(frames: readonly StackFrame[], platform: string): readonly StackFrame[] {
  if (platform === 'python') return frames.filter(({ module }) => !module || !recorder.test(module));
  if (platform !== 'go') return frames;
  const end = frames.findLastIndex(({ module }) => !module?.startsWith('go.opentelemetry.io/otel/'));
  const isRecorded = end >= 0 && end < frames.length - 1;
  return isRecorded ? frames.slice(0, frames[end]?.function === 'panic' ? end : end + 1) : frames;
}

const recorder = /^opentelemetry\.(?:sdk\.)?(?:trace|util\._decorator)(?:\.|$)/;

/** As events have them: what led to another exception before it. */
export function exceptionValues(
  { type, message }: ExceptionTexts,
  read: readonly StackException[],
  platform: string,
  mechanism: JsonObject,
): JsonObject[] {
  const [first, ...others] = read;
  const root = {
    ...namesOf(type, first, platform),
    value: withoutCount(message || first?.value || '', platform),
    mechanism,
    stacktrace: stackOf(first?.frames ?? []),
  };
  if (others.length === 0) return [root];
  const groups = new Set(others.map(({ relation, parent }) => (relation === 'member' ? parent : undefined)));
  const members = new Map<number | undefined, number>();
  const grouped = (place: number): JsonObject => (groups.has(place) ? { is_exception_group: true } : {});
  const values: JsonObject[] = [{ ...root, mechanism: { ...mechanism, exception_id: 0, ...grouped(0) } }];
  for (const [index, one] of others.entries()) {
    const place = index + 1;
    const { relation = 'cause', parent } = one;
    const member = members.get(parent) ?? 0;
    if (relation === 'member') members.set(parent, member + 1);
    values.push({
      type: one.type || 'Error',
      module: one.module,
      value: withoutCount(one.value, platform),
      mechanism: {
        type: relation === 'suppressed' ? 'suppressed' : 'chained',
        source: sourceOf(relation, platform, member),
        exception_id: place,
        parent_id: parent,
        ...grouped(place),
      },
      stacktrace: stackOf(one.frames),
    });
  }
  return values.toReversed();
}

/** Python counts the members of a group in its message; its SDK does not. */
const withoutCount = (value: string, platform: string): string =>
  platform === 'python' && value.endsWith(')') ? value.replace(/ \(\d{1,9} sub-exceptions?\)$/, '') : value;

/** As SDKs of that language name what an exception is to its parent. */
function sourceOf(relation: StackRelation, platform: string, member: number): string | undefined {
  if (relation === 'context') return '__context__';
  if (relation === 'cause') return platform === 'python' ? '__cause__' : 'cause';
  return relation === 'member' ? `exceptions[${member}]` : undefined;
}

/** The text tells classes and packages apart; the attribute may name another exception than the text. */
function namesOf(type: string, read: StackException | undefined, platform: string): JsonObject {
  if (read && read.type !== '' && (type === '' || lastPart(type) === lastPart(read.type))) {
    return { type: read.type, module: read.module };
  }
  const dot = withModules.has(platform) ? type.lastIndexOf('.') : -1;
  return dot > 0 ? { type: type.slice(dot + 1), module: type.slice(0, dot) } : { type: type || 'Error' };
}

const lastPart = (name: string): string => name.slice(name.search(/[^.$\\:+]*$/));

function stackOf(frames: readonly StackFrame[]): JsonObject | undefined {
  if (frames.length === 0) return undefined;
  return {
    frames: frames.map(({ absPath, inApp, source, ...rest }) => ({
      ...rest,
      abs_path: absPath,
      in_app: inApp,
      context_line: source,
    })),
  };
}

/**
 * Whether two records are of one exception that has reached different calls: the stack of one is the end of the
 * other's.
 */
export function isSameException(a: readonly StackException[], b: readonly StackException[]): boolean {
  const [one, other] = [a[0]?.frames ?? [], b[0]?.frames ?? []];
  if (a.length !== b.length || one.length === 0 || other.length === 0) return false;
  const length = Math.min(one.length, other.length);
  for (let back = 1; back <= length; back++) {
    const [left, right] = [one.at(-back), other.at(-back)];
    if (left?.absPath !== right?.absPath || left?.module !== right?.module) return false;
    if (left?.lineno !== right?.lineno || left?.function !== right?.function) return false;
  }
  return true;
}
