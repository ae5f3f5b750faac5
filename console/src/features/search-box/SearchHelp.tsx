import type { DataSet } from '@culprit/search';
import * as m from '../../messages/search-box.ts';
import { IconButton } from '../../ui/Button.tsx';
import { HelpIcon } from '../../ui/icons.ts';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { Text } from '../../ui/Text.tsx';
import { verbatim } from '../../ui/verbatim.ts';
import styles from './SearchHelp.module.css';

const examples: readonly (readonly [term: string, meaning: keyof typeof m.examples])[] = [
  [verbatim`cannot read`, 'words'],
  ['level:error', 'value'],
  ['!level:info', 'not'],
  ['release:[1.0, 1.1]', 'list'],
  ['url:*/cart*', 'star'],
  [verbatim`browser:"Mobile Safari"`, 'quotes'],
  ['has:user.email', 'has'],
  ['timestamp:-24h', 'since'],
  ['tags[level]:x', 'tag'],
  ['(a:1 OR b:2) c:3', 'or'],
];
const ofSpans = [['span.duration:>1.5s', 'duration']] as const;

/** The language in a small table. */
export function SearchHelp({ dataSet }: { readonly dataSet: DataSet }) {
  return (
    <Popover
      label={m.help}
      align="end"
      className={styles.help}
      renderTrigger={(props) => <IconButton {...props} size="small" label={m.help} icon={<HelpIcon size={14} />} />}
    >
      {() => (
        <>
          <h2>{m.help}</h2>
          <KeyValue>
            {[...examples, ...(dataSet === 'spans' ? ofSpans : [])].map(([term, meaning]) => (
              <Pair key={term} name={<code>{term}</code>}>
                {m.examples[meaning]}
              </Pair>
            ))}
          </KeyValue>
          {dataSet === 'issues' && <Text as="p">{m.oneEvent}</Text>}
        </>
      )}
    </Popover>
  );
}
