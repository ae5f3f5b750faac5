import { useState } from 'react';
import { setSingleKeys, singleKeysOn } from '../features/commands/single-keys.ts';
import { keyOf } from '../features/commands/commands.ts';
import { allCommands, labels, scopeOf, type Scope } from '../features/commands/labels.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Toggle } from '../ui/Field.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import styles from './Help.module.css';

/** What dialogs and trees do by themselves. */
const others: Partial<Readonly<Record<Scope, readonly (readonly [label: string, keys: string])[]>>> = {
  Everywhere: [['Close a dialog, a menu, a list of choices', 'Escape']],
  Trace: [
    ['Walk the rows', '↑ ↓'],
    ['Fold, unfold', '← →'],
  ],
};

/** The table of keys, drawn. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  const [single, setSingle] = useState(singleKeysOn);
  return (
    <Dialog title="Keyboard shortcuts" size="wide" onClose={onClose}>
      <div className={styles.body}>
        <div className={styles.columns}>
          {(['Everywhere', 'Lists', 'Alerts', 'Issue', 'Trace'] as const).map((scope) => (
            <section key={scope} aria-label={scope}>
              <h2 className={styles.scope}>{scope}</h2>
              <ul>
                {allCommands
                  .map((command) => ({ command, key: keyOf(command) }))
                  .filter(({ command, key }) => key !== undefined && scopeOf(command) === scope)
                  .map(({ command, key = '' }) => (
                    <li key={command} className={styles.row}>
                      <span>{labels[command]}</span>
                      <Kbd keys={key} />
                    </li>
                  ))}
                {others[scope]?.map(([label, keys]) => (
                  <li key={label} className={styles.row}>
                    <span>{label}</span>
                    <Kbd keys={keys} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        <Toggle
          label="Single-letter shortcuts"
          hint="Switch off if you dictate or press keys by accident. Combinations keep working."
          checked={single}
          onChange={(event) => {
            setSingleKeys(event.target.checked);
            setSingle(event.target.checked);
          }}
        />
      </div>
    </Dialog>
  );
}
