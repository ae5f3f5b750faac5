/** Elixir's and Erlang's exceptions as Elixir formats them. */
import type { StackFrame, StackText } from '../types.ts';
import { draft, finish, linesOf } from './text.ts';

const raised = /\*\* \(([\w.]{1,300})\) ?(.*)$/;
const exit = /\*\* \((exit|throw|stop|EXIT from [^)]{1,100})\) ?(.*)$/;
const call = /^\s{0,16}(?:\(([\w]{1,100})(?: [^)\s]{1,60})?\) )?([^\s:()][^:()]{0,400}):(\d{1,9}): (.{1,600})$/;
const placeless = /^\s{1,16}\(([\w]{1,100})(?: [^)\s]{1,60})?\) (\S.{0,600}\/\d{1,3})$/;
const module = /^(:?[\w.]{1,300})\.(?:"|[a-z_])/;
/** Applications of the languages themselves, and libraries that nearly every program has. */
const libraries = new Set(
  (
    'elixir stdlib kernel erts mix ex_unit iex logger eex phoenix phoenix_live_view phoenix_html plug plug_cowboy ' +
    'cowboy ranch bandit thousand_island ecto ecto_sql postgrex myxql db_connection telemetry absinthe oban finch ' +
    'mint tesla hackney jason sentry opentelemetry opentelemetry_api'
  ).split(' '),
);

export function readElixir(text: string): StackText | undefined {
  let one = draft('', undefined);
  let at: 'start' | 'message' | 'frames' = 'start';
  for (const line of linesOf(text)) {
    const frame = line.startsWith(' ') || at !== 'message' ? frameOf(line) : undefined;
    if (frame) {
      one.frames.push(frame);
      at = 'frames';
    } else if (at === 'frames') {
      if (line.trim() !== '') break;
    } else if (at === 'message') one.value.push(line);
    else {
      const [, type, value] = line.includes('** (') ? (raised.exec(line) ?? exit.exec(line) ?? []) : [];
      if (type === undefined) continue;
      one = draft(type, value);
      at = 'message';
    }
  }
  if (one.frames.length === 0) return undefined;
  return { language: 'elixir', exceptions: finish([one], true) };
}

function frameOf(line: string): StackFrame | undefined {
  const [, app, path, lineno, name] = call.exec(line) ?? [];
  if (path !== undefined && name !== undefined) {
    return { ...named(app, name), filename: path, absPath: path, lineno: Number(lineno) };
  }
  const [, ofPlaceless, bare] = placeless.exec(line) ?? [];
  return bare === undefined ? undefined : named(ofPlaceless, bare);
}

function named(app: string | undefined, name: string): StackFrame {
  const inside = module.exec(name.startsWith('anonymous fn') ? (name.split(' in ')[1] ?? '') : name)?.[1];
  return {
    function: name,
    ...(inside !== undefined && { module: inside }),
    ...(app !== undefined && { package: app }),
    inApp: app === undefined || !libraries.has(app),
  };
}
