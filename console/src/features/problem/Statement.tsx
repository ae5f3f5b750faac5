import { CodeLine } from '../code/CodeLine.tsx';
import { markColumn } from '../code/tokens.ts';
import { useHighlight } from '../code/use-highlight.ts';
import * as m from '../../messages/problem.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { splitOp } from './evidence.ts';
import styles from './Statement.module.css';
import { isSql } from './words.ts';

/** Longer ones are cut where they are shown, and copied whole. */
const longest = 4000;
/** Shorter texts are read, not copied. */
const worthCopying = 20;

/** A query, coloured, or whatever else a span is called. */
export function Statement({ text, label }: { readonly text: string; readonly label: string }) {
  const { op, rest } = splitOp(text);
  const shown = rest.length > longest ? `${rest.slice(0, longest).toWellFormed()}…` : rest;
  const lines = useHighlight(shown.split('\n'), isSql(rest) ? 'sql' : '');
  return (
    <div className={styles.statement}>
      {op && <code className={styles.op}>{op}</code>}
      <pre className={styles.code}>
        {lines.map((line, index) => (
          <div key={index}>
            <CodeLine pieces={markColumn(line, null)} />
            {line.length === 0 && '\n'}
          </div>
        ))}
      </pre>
      {rest.length >= worthCopying && <CopyButton text={rest} label={m.copy({ name: label })} />}
    </div>
  );
}
