import { CodeLine } from '../code/CodeLine.tsx';
import { markColumn } from '../code/tokens.ts';
import { useHighlight } from '../code/use-highlight.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import styles from './CodeBlock.module.css';

/** A piece of a file to paste, with its place on top. */
export function CodeBlock({ file, code }: { readonly file: string; readonly code: string }) {
  const lines = useHighlight(code.split('\n'), 'typescript');
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span>{file}</span>
        <CopyButton text={code} label={`Copy: ${file}`} />
      </div>
      <ScrollRegion as="pre" className={styles.code} label={file}>
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
