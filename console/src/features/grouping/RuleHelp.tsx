import { AddIcon } from '../../ui/icons.ts';
import { IconButton } from '../../ui/Button.tsx';
import styles from './RuleHelp.module.css';

export interface RuleExample {
  readonly says: string;
  readonly rule: string;
}

export interface RuleGuide {
  readonly title: string;
  readonly examples: readonly RuleExample[];
  /** What may stand in a rule, with what it means. */
  readonly words: readonly (readonly [string, string])[];
}

export const fingerprintGuide: RuleGuide = {
  title: 'Fingerprint rules',
  examples: [
    { says: 'One issue for a kind of error', rule: 'error.type:ConnectionError -> connection-error' },
    {
      says: 'One for each page, whatever threw',
      rule: 'error.value:"*timed out*" -> timeout, {{ transaction }}',
    },
    { says: 'As usual, but apart for each tenant', rule: 'tags.tenant:* -> {{ default }}, {{ tags.tenant }}' },
    { says: 'By where it broke, with a title', rule: 'stack.function:readConfig -> read-config title="Configuration"' },
  ],
  words: [
    ['error.type error.value message', 'what the error says'],
    ['stack.function stack.module stack.abs_path', 'one frame of the stack; several must meet in the same frame'],
    ['level logger release tags.NAME', 'what the event carries'],
    ['family sdk app', 'where it comes from: family:javascript, app:yes'],
    ['* ? !', 'any text, any character, not'],
    ['{{ default }}', 'what the event would be grouped by without a rule'],
    ['{{ transaction }} {{ error.type }} {{ tags.NAME }}', 'values of the event'],
  ],
};

export const stackTraceGuide: RuleGuide = {
  title: 'Stack-trace rules',
  examples: [
    { says: 'A folder that is not your own code', rule: 'family:javascript stack.abs_path:**/lib/** -app' },
    { says: 'A wrapper that says nothing', rule: 'stack.function:withRetry -group' },
    { says: 'Everything that a handler calls', rule: 'stack.function:handleError ^-group' },
    { says: 'At most three frames count', rule: 'error.type:RangeError max-frames=3' },
  ],
  words: [
    ['stack.abs_path stack.module stack.function', 'the frame; ** goes over folders'],
    ['app:yes app:no family', 'own code or not; javascript, native, other'],
    ['error.type error.value error.mechanism', 'the error whose stack it is'],
    ['[ … ] |   | [ … ]', 'the frame that called it, the frame that it called'],
    ['+app -app', 'own code, or not'],
    ['+group -group', 'counts for grouping, or not'],
    ['^ v', 'before an action: all frames towards the crash, towards the start'],
    ['max-frames=N min-frames=N', 'how many count at most, and at least'],
  ],
};

/** Examples to take, and what may stand in a rule. */
export function RuleHelp({ guide, onTake }: { readonly guide: RuleGuide; readonly onTake: (rule: string) => void }) {
  return (
    <aside className={styles.help} aria-label={`Help for ${guide.title.toLowerCase()}`}>
      <h3>Examples</h3>
      <ul className={styles.examples}>
        {guide.examples.map(({ says, rule }) => (
          <li key={rule}>
            <div>
              <span>{says}</span>
              <code>{rule}</code>
            </div>
            <IconButton size="small" label={`Add: ${says}`} icon={<AddIcon size={14} />} onClick={() => onTake(rule)} />
          </li>
        ))}
      </ul>
      <details className={styles.more}>
        <summary>What a rule may say</summary>
        <dl>
          {guide.words.map(([words, meaning]) => (
            <div key={words}>
              <dt>
                <code>{words}</code>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </aside>
  );
}
