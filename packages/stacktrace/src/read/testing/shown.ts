import type { StackText } from '../../types.ts';

/** A text that was read, a line for each exception and each frame; own code has an asterisk. */
export function shown(read: StackText | undefined): string[] {
  if (!read) return [];
  const head = [read.language, read.thread].filter((one) => one !== undefined).join(' ');
  const lines = read.exceptions.flatMap(({ type, module, value, relation, parent, frames }, place) => [
    `${place}${relation === undefined ? '' : ` ${relation} of ${parent}`}: ${module ? `${module} ` : ''}${type}: ${value}`,
    ...frames.map((frame) => {
      const name = [frame.package && `(${frame.package})`, frame.module, frame.function].filter(Boolean).join(' ');
      const place = [frame.filename, frame.lineno, frame.colno].filter((one) => one !== undefined).join(':');
      const rest = [frame.native && 'native', frame.source && `| ${frame.source}`].filter(Boolean).join(' ');
      return `${frame.inApp ? '*' : ' '} ${name} @ ${place} ${rest}`.trimEnd();
    }),
  ]);
  return [head, ...lines];
}
