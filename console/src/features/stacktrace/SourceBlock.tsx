import type { Frame } from '../event/types.ts';
import { CodeLine } from '../code/CodeLine.tsx';
import { languageOf } from '../code/language.ts';
import { markColumn, sharedIndent } from '../code/tokens.ts';
import { useHighlight } from '../code/use-highlight.ts';
import * as m from '../../messages/stacktrace.ts';
import { cx } from '../../ui/cx.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { frameLocation } from './frames.ts';
import styles from './stacktrace.module.css';

const longest = 1000;

/** Source lines around the failing one, its column underlined. */
export function SourceBlock({ frame, platform }: { readonly frame: Frame; readonly platform: string | null }) {
  const lines = frame.context.map(([, text]) => text.replaceAll('\t', '  ').replaceAll(/[\r\n]/g, ' '));
  const indent = sharedIndent(lines);
  const shown = lines.map((line) => line.slice(indent, indent + longest));
  const coloured = useHighlight(shown, languageOf(frame.filename, frame.platform ?? platform));
  const original = frame.context.find(([number]) => number === frame.lineNo)?.[1];
  const column =
    frame.colNo === null || original === undefined ? null : frame.colNo + tabsBefore(original, frame.colNo) - indent;
  const digits = String(frame.context.at(-1)?.[0] ?? 0).length;
  return (
    <ScrollRegion className={styles.source} label={m.source({ place: frameLocation(frame) })}>
      <ol className={styles.lines} dir="ltr" style={{ '--digits': digits }}>
        {frame.context.map(([number], index) => {
          const failing = number === frame.lineNo;
          return (
            <li
              key={number}
              className={cx(styles.codeLine, failing && styles.failing)}
              aria-current={failing ? 'true' : undefined}
            >
              <span className={styles.lineNumber}>{number}</span>
              <code className={styles.code}>
                <CodeLine pieces={markColumn(coloured[index] ?? [], failing ? column : null)} />
              </code>
            </li>
          );
        })}
      </ol>
    </ScrollRegion>
  );
}

/** Each tab before the column became two characters. */
function tabsBefore(line: string, column: number): number {
  return line.slice(0, Math.max(0, column - 1)).split('\t').length - 1;
}
