/** An exception as Elixir prints it. */
import type { StackException, StackFrame } from '../types.ts';
import { newestFirst, ordered, type Writer } from './report.ts';
import { linesOf, name, qualified } from './words.ts';

export const elixir: Writer = {
  report: ({ exceptions }, order) =>
    exceptions.flatMap((exception) => [
      ...titled(exception),
      ...ordered(
        newestFirst(exception).map((frame) => `    ${call(frame)}`),
        order,
      ),
    ]),
  frame: (frame) => call(frame),
};

function titled(exception: StackException): readonly string[] {
  const type = qualified({ ...exception, type: exception.type.replace(/^Elixir\./, '') });
  const [first = '', ...rest] = linesOf(exception);
  if (type) return [`** (${type})${first ? ` ${first}` : ''}`, ...rest];
  return first || rest.length > 0 ? [first, ...rest] : [];
}

/** `(shop 0.1.0) lib/shop/cart.ex:7: Shop.Cart.order/1` */
function call(frame: StackFrame): string {
  const file = name(frame.filename ?? frame.absPath ?? '');
  const place = file ? `${[file, ...(frame.lineno === undefined ? [] : [frame.lineno])].join(':')}: ` : '';
  return `${frame.package ? `(${name(frame.package)}) ` : ''}${place}${called(frame)}`;
}

function called({ module, function: called = '(file)' }: StackFrame): string {
  // A script's own code is compiled into a module without a name.
  if (/^:elixir_compiler_\d{1,9}\.__FILE__\/1$/.test(called)) return '(file)';
  const within = module?.replace(/^Elixir\./, '');
  return name(!within || /^(?:[:(A-Z]|anonymous )/.test(called) ? called : `${within}.${called}`);
}
