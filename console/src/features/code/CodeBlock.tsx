import * as m from '../../messages/code.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { CodeLine } from './CodeLine.tsx';
import styles from './CodeBlock.module.css';
import { markColumn } from './tokens.ts';
import { useHighlight } from './use-highlight.ts';

/** A piece of a file to paste, or commands to run, with its place on top. `label` where the place alone is no name. */
export function CodeBlock({
  file,
  code,
  language = 'typescript',
  label = file,
}: {
  readonly file: string;
  readonly code: string;
  /** As the highlighter calls it; `sh` for commands. */
  readonly language?: string;
  readonly label?: string;
}) {
  const lines = useHighlight(code.split('\n'), language === 'sh' ? '' : language);
  return (
    <div className={styles.block} dir="ltr">
      <div className={styles.head}>
        <code>{file}</code>
        <CopyButton text={code} label={m.copyOf({ label })} />
      </div>
      <ScrollRegion as="pre" className={styles.code} label={label}>
        {lines.map((line, index) => (
          <div key={index}>
            <CodeLine pieces={markColumn(line, null)} />
            {line.length === 0 && '\n'}
          </div>
        ))}
      </ScrollRegion>
    </div>
  );
}
