import * as m from '../../messages/rules.ts';
import { IconButton } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { AddIcon } from '../../ui/icons.ts';
import { Facts } from '../../ui/Text.tsx';
import type { RuleGuide } from './rule-guides.ts';
import styles from './RuleHelp.module.css';

/** Examples to add, and what may stand in a rule. */
export function RuleHelp({ guide, onTake }: { readonly guide: RuleGuide; readonly onTake: (rule: string) => void }) {
  return (
    <aside className={styles.help} aria-label={m.help({ title: guide.title })}>
      <h2>{m.examples}</h2>
      <DataList compact>
        {guide.examples.map(({ says, rule }) => (
          <DataRow
            key={rule}
            title={<code>{rule}</code>}
            facts={<Facts>{says}</Facts>}
            actions={
              <IconButton
                size="small"
                label={m.add({ example: says })}
                icon={<AddIcon size={14} />}
                onClick={() => onTake(rule)}
              />
            }
          />
        ))}
      </DataList>
      <details>
        <summary>{m.syntax}</summary>
        <dl>
          {guide.syntax.map(([syntax, meaning]) => (
            <div key={syntax}>
              <dt>
                <code>{syntax}</code>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </aside>
  );
}
