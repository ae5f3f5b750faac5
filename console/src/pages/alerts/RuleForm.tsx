import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import {
  problemsOf,
  requestOf,
  withThreshold,
  type DraftProblems,
  type RuleDraft,
} from '../../features/alerts/draft.ts';
import { placeOfError } from '../../features/alerts/place.ts';
import { type AlertRule, changeRule, createRule, ruleQuery } from '../../features/alerts/queries.ts';
import { useRulePreview } from '../../features/alerts/use-preview.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { plural } from '../../ui/numbers.ts';
import { Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts.ts';
import { Channels } from './Channels.tsx';
import { Conditions } from './Conditions.tsx';
import { MetricFields } from './MetricFields.tsx';
import { Preview } from './Preview.tsx';
import styles from './RulePage.module.css';
import { Scope } from './Scope.tsx';
import { Frequency } from './Frequency.tsx';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));

export interface PartProps {
  readonly draft: RuleDraft;
  readonly problems: DraftProblems;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

/** A rule on one page, tried while it is written. */
export function RuleForm({
  initial,
  rule,
  onSaved,
}: {
  readonly initial: RuleDraft;
  /** The one that is changed; none for a new one. */
  readonly rule?: AlertRule;
  readonly onSaved?: (rule: AlertRule) => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const [base, setBase] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const [shows, setShows] = useState(false);
  const isLeaving = useRef(false);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base);
  // Somebody else's.
  const isFixed = rule?.mayChange === false;
  const own = problemsOf(draft);
  // A rule can be tried before it has a name.
  const { name: _, ...untried } = own;
  const preview = useRulePreview(org, Object.keys(untried).length ? undefined : requestOf(draft));
  const save = useMutation({
    mutationFn: () =>
      // On and off is switched at once, beside the form.
      rule
        ? changeRule(org, rule.id, { ...requestOf(draft), enabled: rule.enabled })
        : createRule(org, requestOf(draft)),
    onSuccess: (saved) => {
      setBase(draft);
      isLeaving.current = true;
      queries.setQueryData(ruleQuery(org, saved.id).queryKey, saved);
      void queries.invalidateQueries({ queryKey: ['alerts', org, 'rules'] });
      toast(rule ? 'Rule saved' : 'Rule made');
      onSaved?.(saved);
    },
  });
  const refusal = save.error ?? preview.error;
  const refused = placeOfError(refusal);
  const problems = { ...refused, ...(shows ? own : untried) };
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && !isLeaving.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  const change = (changes: Partial<RuleDraft>): void => {
    isLeaving.current = false;
    save.reset();
    setDraft((before) => ({ ...before, ...changes }));
  };
  const submit = (): void => {
    setShows(true);
    if (Object.keys(own).length === 0) save.mutate();
  };
  const part = { draft, problems, onChange: change };
  const count = Object.keys(shows ? own : untried).length;

  return (
    <div className={styles.editor}>
      <fieldset className={styles.parts} disabled={isFixed}>
        <legend className="visually-hidden">The rule</legend>
        {!rule && <KindChoice {...part} />}
        {draft.kind === 'issue' ? <Conditions {...part} /> : <MetricFields {...part} />}
        <Scope {...part} error={refusal} />
        <Channels {...part} />
        {draft.kind === 'issue' && <Frequency {...part} />}
        <Section title="What it is called">
          <div className={styles.narrow}>
            <TextField
              label="Name"
              hint="It stands in every message and in the list of rules."
              error={problems['name']}
              value={draft.name}
              maxLength={200}
              autoComplete="off"
              placeholder={draft.kind === 'issue' ? 'Checkout breaks' : 'Checkout is slow'}
              onChange={(event) => change({ name: event.target.value })}
            />
          </div>
        </Section>
        {save.error && Object.keys(refused).length === 0 && <FormError error={save.error} />}
      </fieldset>
      <Preview
        draft={draft}
        preview={preview}
        canTry={Object.keys(untried).length === 0}
        isPlaced={Object.keys(refused).length > 0}
        onThreshold={(threshold) => setDraft(withThreshold(draft, threshold))}
      />
      <div className={styles.bar} hidden={isFixed}>
        <Button variant="primary" busy={save.isPending} disabled={rule !== undefined && !isChanged} onClick={submit}>
          {rule ? 'Save' : 'Make rule'}
        </Button>
        {isChanged && (
          <Button
            onClick={() => {
              toast('Changes discarded', { action: { label: 'Undo', run: () => setDraft(draft) } });
              save.reset();
              setShows(false);
              setDraft(base);
            }}
          >
            Discard changes
          </Button>
        )}
        <output className={styles.faint}>
          {count > 0 ? `${plural(count, 'thing')} to mend first` : isChanged || !rule ? 'Not saved yet' : 'All saved'}
        </output>
      </div>
      {blocker.status === 'blocked' && (
        <Suspense>
          <Confirm
            title="Leave without saving?"
            action="Leave"
            onConfirm={() => blocker.proceed()}
            onClose={() => blocker.reset()}
          >
            The rule was changed and is not saved.
          </Confirm>
        </Suspense>
      )}
    </div>
  );
}

function KindChoice({ draft, onChange }: PartProps) {
  return (
    <fieldset className={styles.kinds}>
      <legend className="visually-hidden">What the rule watches</legend>
      {(
        [
          ['issue', 'Issues', 'What happens to single issues: a new one, one that comes back, one that many meet.'],
          ['metric', 'A number', 'Errors, durations or crashes over time, against a threshold or what is usual.'],
        ] as const
      ).map(([kind, label, hint]) => (
        <label key={kind} className={styles.kind}>
          <input type="radio" name="kind" checked={draft.kind === kind} onChange={() => onChange({ kind })} />
          <b>{label}</b>
          <span className={styles.faint}>{hint}</span>
        </label>
      ))}
    </fieldset>
  );
}
