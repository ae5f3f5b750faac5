/**
 * What of an event decides: exceptions, else threads, else a stack of its own, else a template, else a security report,
 * else the message. The first one with something to say wins.
 */
import type { Event, Exception, Stacktrace } from '../event.ts';
import { platformFamily } from '../family.ts';
import { asText } from '../json.ts';
import { knownStack } from '../known-stacks.ts';
import { blockedSource, cspDirective, localViolation, securityReport } from '../security-report.ts';
import type { GroupingComponent } from '../../types.ts';
import { because, names, variants as variantNames } from '../../../base/texts/grouping.ts';
import type { Algorithm, Beside } from './algorithm.ts';
import { chooseExceptions, type ChosenExceptions } from './exceptions.ts';
import { counted, explainException, explainStack, leaf } from './explain.ts';
import type { FrameParts } from './frame.ts';
import { entry } from './hash.ts';
import { decidingThread } from './match-fingerprint-rules.ts';
import { asSent } from './message.ts';
import { baseName } from './paths.ts';
import { frameCounts, lastCounting, stackParts, type StackParts, type VariantId } from './stack.ts';
import type { StackEffects } from './stack-trace-effects.ts';

/** How the event is read: the version, and what the project's rules did to its stacks. */
export interface Reading {
  readonly algorithm: Algorithm;
  readonly effects: ReadonlyMap<Stacktrace, StackEffects>;
}

/** Type and message of an error of built code, by which the same bug is known with its source maps and without. */
export interface Words {
  /** Canonical list. */
  readonly list: string;
  /** Whether this event has its maps; else a minifier took the names from it. */
  readonly mapped: boolean;
}

export interface Decision {
  readonly basis: string;
  /** Canonical lists in pieces, best first; one or two. */
  readonly lists: readonly (readonly string[])[];
  readonly stackUsed: VariantId | 'none';
  readonly words?: () => Words | undefined;
  readonly explain: () => GroupingComponent[];
}

export interface ExceptionParts {
  readonly exception: Exception;
  readonly stack: StackParts;
  readonly synthetic: boolean;
  /** The parameterised message, worked out only where it counts. */
  readonly value: string | undefined;
  /** Why it counts beside a stack, where it does. */
  readonly beside: string | undefined;
  readonly nsError: string | undefined;
}

const signal = /^(?:EXC_\w{1,40}|SIG[A-Z]{2,10}|EXCEPTION_[A-Z_]{1,40})\b/;
const nativePlatforms = new Set(['native', 'cocoa', 'objc', 'swift', 'c', 'rust']);

function exceptionParts(exception: Exception, platform: string, reading: Reading): ExceptionParts {
  const stack = stackOf(exception.stacktrace, platform, reading);
  const { mechanism } = exception;
  const { errorValue, textBesideStack } = reading.algorithm;
  const beside = stack.system ? textBesideStack(exception, platform) : undefined;
  const needsValue = !stack.app || !stack.system || stack.vague || beside !== undefined;
  return {
    exception,
    stack,
    synthetic:
      mechanism?.synthetic === true ||
      (nativePlatforms.has(platform) && mechanism !== undefined && signal.test(exception.type ?? '') && stack.system),
    value: needsValue && exception.value !== undefined ? errorValue(asSent(exception.value), platform) : undefined,
    beside,
    nsError: nsErrorOf(mechanism?.meta),
  };
}

function stackOf(stack: Stacktrace | undefined, platform: string, { algorithm, effects }: Reading): StackParts {
  const effect = stack && effects.get(stack);
  const make = (): StackParts => stackParts(stack, platform, algorithm, effect);
  // Its platform is always the same.
  return (stack && !effect && knownStack(stack.frames)?.derive(algorithm, make)) || make();
}

function nsErrorOf(meta: unknown): string | undefined {
  const error =
    typeof meta === 'object' && meta !== null
      ? (meta as { ns_error?: { domain?: unknown; code?: unknown } }).ns_error
      : undefined;
  const domain = asText(error?.domain);
  return domain === undefined ? undefined : `${domain}:${asText(error?.code) ?? ''}`;
}

/** Entries of one exception in one variant: its type, its stack, its words. */
function exceptionList(parts: ExceptionParts, variant: VariantId): string[] {
  const { exception, stack, synthetic, nsError, value, beside } = parts;
  const type = synthetic || exception.type === undefined ? '' : entry('type', exception.type);
  const words =
    nsError !== undefined
      ? entry('ns_error', nsError)
      : (!stack[variant] || stack.vague || beside !== undefined) && value !== undefined
        ? entry('value', value)
        : '';
  return [entry('exception', '') + type, stack[variant] ? stackList(stack, variant) : '', words];
}

const stackList = (stack: StackParts, variant: VariantId): string =>
  (stack.listed[variant] ??= listStack(stack, variant));

function listStack(stack: StackParts, variant: VariantId): string {
  let list = '';
  for (const parts of stack.frames) {
    if (!frameCounts(parts, variant)) continue;
    list += entry('frame', '');
    if (parts.module && parts.module.why === undefined) list += entry('module', parts.module.value);
    if (parts.filename && parts.filename.why === undefined) list += entry('filename', parts.filename.value);
    if (parts.function && parts.function.why === undefined) list += entry('function', parts.function.value);
    if (parts.contextLine && parts.contextLine.why === undefined)
      list += entry('context_line', parts.contextLine.value);
  }
  return list;
}

function wordsOf(counting: readonly ExceptionParts[], platform: string, algorithm: Algorithm): Words | undefined {
  if (!algorithm.joinsByWords || platformFamily(platform) !== 'javascript') return undefined;
  const minified = counting.some(({ stack }) => stack.vague || stack.nameless);
  const mapped = counting.some(
    ({ stack }) => stack.app && stack.frames.some(({ frame, inApp }) => inApp && frame.data?.sourcemap !== undefined),
  );
  // Readable names need no help, and what is half mapped proves nothing.
  if (minified === mapped || counting.every(({ exception }) => !exception.value)) return undefined;
  const list = counting.map(
    ({ exception: { type = '', value = '' } }) =>
      entry('type', type) + entry('value', algorithm.messageValue(asSent(value))),
  );
  return { list: list.join(''), mapped };
}

interface ExceptionDecision {
  readonly decision: Decision | undefined;
  readonly chosen: ChosenExceptions;
}

function decideByExceptions(event: Event, reading: Reading): ExceptionDecision {
  const all = event.exception?.values ?? [];
  const known = new Map<Exception, ExceptionParts>();
  const partsOf = (exception: Exception): ExceptionParts => {
    let parts = known.get(exception);
    if (!parts) known.set(exception, (parts = exceptionParts(exception, event.platform, reading)));
    return parts;
  };
  const chosen = chooseExceptions(event, (exception) => exceptionList(partsOf(exception), 'system').join(''));
  const counting = chosen.counting.map(partsOf);
  const says = counting.some(
    (parts) => !parts.synthetic || parts.stack.system || parts.value !== undefined || parts.nsError !== undefined,
  );
  if (counting.length === 0 || !says) return { decision: undefined, chosen };
  const app = counting.some(({ stack }) => stack.app);
  const system = counting.some(({ stack }) => stack.system);
  const stackUsed: Decision['stackUsed'] = app ? 'app' : system ? 'system' : 'none';
  const variants: VariantId[] = app ? ['app', 'system'] : ['system'];
  const decision: Decision = {
    basis: counting.length > 1 ? 'chained-exception' : 'exception',
    lists: variants.map((variant) => counting.flatMap((parts) => exceptionList(parts, variant))),
    stackUsed,
    words: () => wordsOf(counting, event.platform, reading.algorithm),
    explain: () =>
      variants.slice(0, stackUsed === 'none' ? 1 : 2).map((variant) => ({
        id: variant,
        name: variantNames[stackUsed === 'none' ? 'none' : variant],
        contributes: true,
        children: all.map((exception) => {
          const counts = chosen.counting.includes(exception);
          return explainException(partsOf(exception), variant, counts ? undefined : chosen.why);
        }),
      })),
  };
  return { decision, chosen };
}

function decideByStack(
  basis: string,
  name: string,
  stack: StackParts,
  messageBeside: (last: FrameParts | undefined) => Beside | undefined,
): Decision | undefined {
  if (!stack.system) return undefined;
  const variants: VariantId[] = stack.app ? ['app', 'system'] : ['system'];
  const beside = messageBeside(lastCounting(stack));
  const words = beside ? [entry('message', beside.value)] : [];
  return {
    basis,
    lists: variants.map((variant) => [entry(basis, ''), stackList(stack, variant), ...words]),
    stackUsed: stack.app ? 'app' : 'system',
    explain: () =>
      variants.map((variant) => ({
        id: variant,
        name: variantNames[variant],
        contributes: true,
        children: [
          { ...explainStack(stack, variant), name },
          ...(beside ? [counted('message', names.message, beside.value, beside.why)] : []),
        ],
      })),
  };
}

function decideByThreads(event: Event, reading: Reading): Decision | undefined {
  const thread = decidingThread(event);
  const stack = thread && stackOf(thread.stacktrace, event.platform, reading);
  return stack && decideByStack('threads', names.stackOfThread, stack, messageBeside(event, reading));
}

const messageBeside =
  (event: Event, { algorithm }: Reading) =>
  (last: FrameParts | undefined): Beside | undefined =>
    algorithm.messageBesideStack(event, last);

function decideByOwnStack(event: Event, reading: Reading): Decision | undefined {
  const stack = event.stacktrace && stackOf(event.stacktrace, event.platform, reading);
  return stack && decideByStack('stacktrace', names.stackOfEvent, stack, messageBeside(event, reading));
}

function decideByLeaves(
  basis: string,
  leaves: readonly (readonly [id: string, name: string, value: string])[],
): Decision | undefined {
  const present = leaves.filter(([, , value]) => value !== '');
  if (present.length === 0) return undefined;
  return {
    basis,
    lists: [[entry(basis, ''), ...present.map(([id, , value]) => entry(id, value))]],
    stackUsed: 'none',
    explain: () => [
      {
        id: basis,
        name: basis,
        contributes: true,
        children: present.map(([id, name, value]) => leaf(id, name, value)),
      },
    ],
  };
}

function decideByTemplate({ template }: Event): Decision | undefined {
  if (!template) return undefined;
  return decideByLeaves('template', [
    ['filename', names.file, baseName(template.filename ?? template.abs_path ?? '').toLowerCase()],
    ['context_line', names.sourceLine, (template.context_line ?? '').trim().replace(/\s+/g, ' ')],
  ]);
}

const reportNames = { csp: 'csp', hpkp: 'hpkp', expectct: 'expect-ct', expectstaple: 'expect-staple' } as const;

function decideBySecurityReport(event: Event): Decision | undefined {
  const security = securityReport(event);
  if (!security) return undefined;
  const { kind, report } = security;
  if (kind !== 'csp')
    return decideByLeaves(reportNames[kind], [
      ['hostname', names.violation.host, asText(report.hostname) ?? 'unknown'],
    ]);
  const violation = localViolation(report);
  return decideByLeaves('csp', [
    ['directive', names.violation.directive, cspDirective(report)],
    violation === ''
      ? ['uri', names.violation.blocked, blockedSource(report)]
      : ['violation', names.violation.violation, violation],
  ]);
}

function decideByMessage(event: Event, { algorithm: { messageValue } }: Reading): Decision | undefined {
  const message = event.logentry?.message ?? event.logentry?.formatted;
  return message === undefined
    ? undefined
    : decideByLeaves('message', [['message', names.message, messageValue(message)]]);
}

/** Events that say nothing at all are one issue. */
const fallback: Decision = {
  basis: 'fallback',
  lists: [[entry('fallback', '')]],
  stackUsed: 'none',
  explain: () => [
    {
      id: 'fallback',
      name: names.nothing,
      contributes: true,
      why: because.nothing,
    },
  ],
};

export function decide(
  event: Event,
  reading: Reading,
): { readonly decision: Decision; readonly chosen: ChosenExceptions } {
  const { decision, chosen } = decideByExceptions(event, reading);
  const found =
    decision ??
    decideByThreads(event, reading) ??
    decideByOwnStack(event, reading) ??
    decideByTemplate(event) ??
    decideBySecurityReport(event) ??
    decideByMessage(event, reading);
  return { decision: found ?? fallback, chosen };
}
