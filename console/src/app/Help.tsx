import { useState } from 'react';
import { setSingleKeys, singleKeysOn } from '../features/commands/single-keys.ts';
import { keyOf } from '../features/commands/shortcuts.ts';
import { allCommands, labelOf, scopeOf, scopes, type Scope } from '../features/commands/labels.ts';
import { scopes as scopeNames } from '../messages/commands.ts';
import * as m from '../messages/help.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Toggle } from '../ui/Field.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import styles from './Help.module.css';

/** What dialogs and trees do by themselves. */
const others: Partial<Readonly<Record<Scope, readonly (readonly [label: string, keys: string])[]>>> = {
  Everywhere: [[m.close, 'Escape']],
  Trace: [
    [m.walk, '↑ ↓'],
    [m.fold, '← →'],
  ],
};

/** The table of keys, drawn. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  const [single, setSingle] = useState(singleKeysOn);
  return (
    <Dialog title={m.title} size="wide" onClose={onClose}>
      <div className={styles.body}>
        <div className={styles.columns}>
          {scopes.map((scope) => (
            <section key={scope} aria-label={scopeNames[scope]}>
              <h2 className={styles.scope}>{scopeNames[scope]}</h2>
              <ul className={styles.keys}>
                {allCommands
                  .map((command) => ({ command, key: keyOf(command) }))
                  .filter(({ command, key }) => key !== undefined && scopeOf(command) === scope)
                  .map(({ command, key = '' }) => (
                    <li key={command}>
                      {labelOf(command)}
                      <Kbd keys={key} />
                    </li>
                  ))}
                {others[scope]?.map(([label, keys]) => (
                  <li key={label}>
                    {label}
                    <Kbd keys={keys} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        <Toggle
          label={m.singleKeys}
          hint={m.singleKeysHint}
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
