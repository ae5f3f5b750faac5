/** The line to look at in a stored event. */

type Json = Readonly<Record<string, unknown>>;

export interface Thrown {
  readonly type: string | undefined;
  readonly value: string | undefined;
  /** As it is stored; the newest frame of the project's own code, else the newest; undefined when there is no stack. */
  readonly frame: Json | undefined;
  /** As it is stored. */
  readonly event: Json;
}

export interface Line {
  readonly file: string;
  readonly function: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** Lines of source with their numbers; empty when there is no source. */
  readonly context: readonly (readonly [number, string])[];
}

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const objects = (value: unknown): Json[] =>
  list(value)
    .map(object)
    .filter((one) => one !== undefined);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const integer = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? Number(value) : undefined);

/** `payload` is an event's JSON text; `main` is what its row says of the exception that it is named after. */
export function thrownIn(payload: string, main: { readonly type: string; readonly value: string }): Thrown | undefined {
  const event = object(JSON.parse(payload)) ?? {};
  const exceptions = objects(object(event.exception)?.values);
  const exception =
    exceptions.findLast((one) => (one.type ?? '') === main.type && (one.value ?? '') === main.value) ??
    exceptions.at(-1);
  const stack = exception ? (framesOf(exception) ?? exceptions.map(framesOf).findLast(Boolean)) : framesOf(event);
  const frame = stack?.findLast((one) => one.in_app === true) ?? stack?.at(-1);
  if (!exception && !frame) return undefined;
  return { type: text(exception?.type), value: text(exception?.value), frame, event };
}

function framesOf(holder: Json): readonly Json[] | undefined {
  const frames = objects(object(holder.stacktrace)?.frames);
  return frames.length ? frames : undefined;
}

export function lineOf(frame: Json): Line {
  const line = integer(frame.lineno);
  const before = list(frame.pre_context);
  const here = text(frame.context_line);
  const lines = here === undefined ? [] : [...before, here, ...list(frame.post_context)];
  return {
    file: text(frame.filename) ?? text(frame.abs_path) ?? text(frame.module) ?? '',
    function: text(frame.function) ?? '',
    line,
    column: integer(frame.colno),
    context: line === undefined ? [] : lines.map((one, index) => [line - before.length + index, text(one) ?? '']),
  };
}
