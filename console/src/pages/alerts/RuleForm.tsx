import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
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
import * as m from '../../messages/alerts.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts.ts';
import { Channels } from './Channels.tsx';
import { Conditions } from './Conditions.tsx';
import { MetricFields } from './MetricFields.tsx';
import { Preview } from './Preview.tsx';
import styles from './RulePage.module.css';
import { Scope } from './Scope.tsx';
import { Frequency } from './Frequency.tsx';

export interface PartProps {
  readonly draft: RuleDraft;
  readonly problems: DraftProblems;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

/** A rule on one page, previewed while it is written. */
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
  // Someone else's.
  const isFixed = rule?.mayChange === false;
  const own = problemsOf(draft);
  // The preview runs before the rule has a name.
  const { name: _, ...untried } = own;
  const preview = useRulePreview(org, Object.keys(untried).length ? undefined : requestOf(draft));
  const save = useMutation({
    mutationFn: () =>
      // On and off is switched next to the form.
      rule
        ? changeRule(org, rule.id, { ...requestOf(draft), enabled: rule.enabled })
        : createRule(org, requestOf(draft)),
    onSuccess: (saved) => {
      setBase(draft);
      isLeaving.current = true;
      queries.setQueryData(ruleQuery(org, saved.id).queryKey, saved);
      void queries.invalidateQueries({ queryKey: ['alerts', org, 'rules'] });
      toast(rule ? m.saved : m.created);
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
        <legend className="visually-hidden">{m.ruleFields}</legend>
        {!rule && <KindChoice {...part} />}
        {draft.kind === 'issue' ? <Conditions {...part} /> : <MetricFields {...part} />}
        <Scope {...part} error={refusal} />
        <Channels {...part} />
        {draft.kind === 'issue' && <Frequency {...part} />}
        <Section title={m.nameTitle}>
          <div className={styles.narrow}>
            <TextField
              label={m.name}
              hint={m.nameHint}
              error={problems['name']}
              value={draft.name}
              maxLength={200}
              autoComplete="off"
              placeholder={draft.kind === 'issue' ? m.issueNameExample : m.metricNameExample}
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
      <div className={styles.save} hidden={isFixed}>
        <Button variant="primary" busy={save.isPending} disabled={rule !== undefined && !isChanged} onClick={submit}>
          {rule ? m.save : m.create}
        </Button>
        {isChanged && (
          <Button
            onClick={() => {
              toast(m.discarded, { action: { label: m.undo, run: () => setDraft(draft) } });
              save.reset();
              setShows(false);
              setDraft(base);
            }}
          >
            {m.discard}
          </Button>
        )}
        <output>{count > 0 ? m.problemCount({ count }) : isChanged || !rule ? m.notSaved : m.allSaved}</output>
      </div>
      {blocker.status === 'blocked' && (
        <Confirm
          title={m.leaveTitle}
          action={m.leave}
          onConfirm={() => blocker.proceed()}
          onClose={() => blocker.reset()}
        >
          <p>{m.leaveHint}</p>
        </Confirm>
      )}
    </div>
  );
}

function KindChoice({ draft, onChange }: PartProps) {
  const group = useId();
  return (
    <ChoiceGroup label={m.kindLabel} layout="columns">
      {(['issue', 'metric'] as const).map((kind) => (
        <Choice
          key={kind}
          type="radio"
          name={group}
          label={m.kinds[kind]}
          hint={m.kindHints[kind]}
          checked={draft.kind === kind}
          onChange={() => onChange({ kind })}
        />
      ))}
    </ChoiceGroup>
  );
}
