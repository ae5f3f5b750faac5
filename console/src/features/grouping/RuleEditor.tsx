import { useId, useRef, type ReactNode } from 'react';
import * as m from '../../messages/rules.ts';
import { cx } from '../../ui/cx.ts';
import { fieldFrameClass } from '../../ui/field-frame.ts';
import { fieldLabelClass } from '../../ui/Field.tsx';
import type { RuleGuide } from './rule-guides.ts';
import { RuleHelp } from './RuleHelp.tsx';
import styles from './RuleEditor.module.css';
import { offsetOf, ruleLines, sentence, withRule, type RuleProblem } from './rule-text.ts';

const shownProblems = 10;
const leastLines = 5;

/**
 * A text of rules with line numbers, comments set back and places of problems underlined. The text area lies over the same
 * text drawn beneath it, which also gives it its size; both scroll in one box. A `guide` is shown beside it.
 */
export function RuleEditor({
  label,
  hint,
  value,
  placeholder,
  problems,
  guide,
  onChange,
}: {
  readonly label: string;
  readonly hint: ReactNode;
  readonly value: string;
  readonly placeholder: string;
  readonly problems: readonly RuleProblem[];
  readonly guide?: RuleGuide;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = ruleLines(value, problems);
  const wrong = new Set(problems.map(({ line }) => line));
  const select = ({ line, column, endColumn }: RuleProblem): void => {
    area.current?.focus();
    area.current?.setSelectionRange(offsetOf(value, line, column), offsetOf(value, line, endColumn));
  };
  const editor = (
    <div className={styles.editor}>
      <label className={fieldLabelClass} htmlFor={id}>
        {label}
      </label>
      <div className={cx(fieldFrameClass, styles.box, problems.length > 0 && styles.invalid)} dir="ltr">
        <div className={styles.gutter} aria-hidden="true">
          {Array.from({ length: Math.max(lines.length, leastLines) }, (_, index) => (
            <div key={index} className={cx(wrong.has(index + 1) && styles.wrong)}>
              {index < lines.length ? index + 1 : '\u00a0'}
            </div>
          ))}
        </div>
        <div className={styles.text}>
          <pre className={styles.drawn} aria-hidden="true">
            {lines.map((pieces, index) => (
              <div key={index}>
                {pieces.map(({ text, kind }, at) => (
                  <span key={at} className={styles[kind]}>
                    {text}
                  </span>
                ))}
                {pieces.length === 0 && '\n'}
              </div>
            ))}
          </pre>
          <textarea
            ref={area}
            id={id}
            className={styles.area}
            value={value}
            placeholder={placeholder}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            wrap="off"
            maxLength={65_536}
            aria-invalid={problems.length > 0 || undefined}
            aria-describedby={`${id}-note`}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      </div>
      <div id={`${id}-note`}>
        <p className={styles.about}>{hint}</p>
        <div role="status">
          {problems.length > 0 && (
            <ul className={styles.problems} aria-label={m.problemsOf({ label })}>
              {problems.slice(0, shownProblems).map((problem) => (
                <li key={`${problem.line} ${problem.column} ${problem.message}`}>
                  <button type="button" onClick={() => select(problem)}>
                    {m.line({ line: String(problem.line), column: String(problem.column) })}
                  </button>
                  <span translate="no">{sentence(problem.message)}</span>
                </li>
              ))}
              {problems.length > shownProblems && <li>{m.more({ count: problems.length - shownProblems })}</li>}
            </ul>
          )}
        </div>
      </div>
    </div>
  );
  if (!guide) return editor;
  return (
    <div className={styles.guided}>
      {editor}
      <RuleHelp guide={guide} onTake={(rule) => onChange(withRule(value, rule))} />
    </div>
  );
}
