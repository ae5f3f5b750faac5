/** The explanation that the issue page shows: components with what counted and, in words, why not the others. Made on demand. */
import type { GroupingComponent } from '../../types.ts';
import { names, unused } from '../../../base/texts/grouping.ts';
import type { Part } from './frame.ts';
import { frameCounts, type StackFrame, type StackParts, type VariantId } from './stack.ts';
import type { ExceptionParts } from './strategies.ts';

const maxShown = 500;

export function leaf(id: string, name: string, value: string, why?: string): GroupingComponent {
  const shown = value.length > maxShown ? `${value.slice(0, maxShown).toWellFormed()}...` : value;
  return why === undefined
    ? { id, name, contributes: true, value: shown }
    : { id, name, contributes: false, why, value: shown };
}

/** One that counts, with the reason where it is not obvious. */
export function counted(id: string, name: string, value: string, why: string | undefined): GroupingComponent {
  return why === undefined ? leaf(id, name, value) : { ...leaf(id, name, value), why };
}

export function explainException(
  parts: ExceptionParts,
  variant: VariantId,
  leftOut: string | undefined,
): GroupingComponent {
  const { exception, stack } = parts;
  const children: GroupingComponent[] = [];
  if (exception.type !== undefined) {
    children.push(leaf('type', names.type, exception.type, parts.synthetic ? unused.syntheticType : undefined));
  }
  if (stack.frames.length > 0) children.push(explainStack(stack, variant));
  if (parts.nsError !== undefined) children.push(leaf('ns_error', names.nsError, parts.nsError));
  if (exception.value !== undefined) {
    const value = parts.value ?? exception.value;
    const alone = !stack[variant] || stack.vague;
    const why = parts.nsError === undefined ? unused.stackIsBetter : unused.nsErrorIsBetter;
    const counts = parts.nsError === undefined && (alone || parts.beside !== undefined);
    children.push(
      counts
        ? counted('value', names.message, value, alone ? undefined : parts.beside)
        : leaf('value', names.message, value, why),
    );
  }
  const component = { id: 'exception', name: names.exception, contributes: leftOut === undefined, children };
  return leftOut === undefined ? component : { ...component, why: leftOut };
}

export function explainStack(stack: StackParts, variant: VariantId): GroupingComponent {
  const contributes = stack[variant];
  const children = stack.frames.map((parts): GroupingComponent => {
    const counts = contributes && frameCounts(parts, variant);
    const why = counts ? parts.marked : whyNot(parts, variant);
    const leaves: GroupingComponent[] = [];
    add(leaves, 'module', names.module, parts.module);
    add(leaves, 'filename', names.file, parts.filename);
    add(leaves, 'function', names.function, parts.function);
    add(leaves, 'context_line', names.sourceLine, parts.contextLine);
    const frame = { id: 'frame', name: names.frame, contributes: counts, children: leaves };
    return why === undefined ? frame : { ...frame, why };
  });
  const why = stack.why ?? (contributes ? undefined : unused.noFrame);
  const component = { id: 'stacktrace', name: names.stack, contributes, children };
  return why === undefined ? component : { ...component, why };
}

function whyNot(parts: StackFrame, variant: VariantId): string | undefined {
  const own = parts.ignored ?? parts.why ?? parts.beyond?.[variant];
  if (own !== undefined || variant === 'system' || parts.inApp) return own;
  return parts.marked === undefined ? unused.notOwn : unused.marked(parts.marked);
}

function add(leaves: GroupingComponent[], id: string, name: string, part: Part | undefined): void {
  if (part) leaves.push(leaf(id, name, part.value, part.why));
}
