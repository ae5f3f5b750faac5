import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { RuleEditor } from '../../features/grouping/RuleEditor.tsx';
import { RuleHelp } from '../../features/grouping/RuleHelp.tsx';
import { withRule } from '../../features/grouping/rule-text.ts';
import {
  type Ownership,
  ownershipProblemsQuery,
  ownershipQuery,
  saveOwnership,
} from '../../features/ownership/queries.ts';
import { membersQuery, teamsQuery } from '../../features/people/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { plural } from '../../ui/numbers.ts';
import { Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts.ts';
import { useLagging } from '../project-settings/use-lagging.ts';
import { ownershipGuide } from './guide.ts';
import styles from './OwnershipPage.module.css';
import { PreviewSection } from './PreviewSection.tsx';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));

type Mode = Ownership['autoAssignment'];

const modes: readonly { readonly mode: Mode; readonly label: string; readonly hint: string }[] = [
  {
    mode: 'Auto Assign to Issue Owner',
    label: 'To its owner',
    hint: 'Who the rules above and CODEOWNERS name.',
  },
  {
    mode: 'Auto Assign to Suspect Commits',
    label: 'To the author of the suspect commit',
    hint: 'Who last changed the file that threw, among the commits of the release.',
  },
  { mode: 'Turn off Auto-Assignment', label: 'Unassigned', hint: 'Owners are only suggested.' },
];

/** How long somebody does not type before the rules are looked at, and before they are tried. */
const checkAfterMs = 300;
const tryAfterMs = 900;

/** Rules and what new issues do by themselves, checked and tried as they are written, and saved together. */
export function OwnershipForm({
  slug,
  ownership,
  mayChange,
}: {
  readonly slug: string;
  readonly ownership: Ownership;
  readonly mayChange: boolean;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const [raw, setRaw] = useState(ownership.raw);
  const [mode, setMode] = useState<Mode>(ownership.autoAssignment);
  const { data: teams } = useQuery(teamsQuery(org));
  const { data: members } = useQuery(membersQuery(org));
  const changed = raw !== ownership.raw || mode !== ownership.autoAssignment;
  const checked = useQuery(ownershipProblemsQuery(org, slug, useLagging(raw, checkAfterMs)));
  const problems = checked.data ?? [];
  const tried = useLagging(raw, tryAfterMs);
  const save = useMutation({
    mutationFn: () => saveOwnership(org, slug, { raw, autoAssignment: mode }),
    onSuccess: (saved) => {
      queries.setQueryData(ownershipQuery(org, slug).queryKey, saved);
      toast('Ownership saved');
    },
  });
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => changed && current.pathname !== next.pathname,
    enableBeforeUnload: () => changed,
    withResolver: true,
  });
  const team = `#${teams?.[0]?.slug ?? 'payments'}`;
  const person = members?.find(({ pending }) => !pending)?.email ?? 'jane@example.com';
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && problems.length === 0) save.mutate();
      }}
    >
      <Section
        title="Rules"
        note="They say who takes care of an issue. The last line that matches decides, and goes before CODEOWNERS. What a person decided about an issue is never changed."
      >
        <div className={styles.pair}>
          <RuleEditor
            label="Ownership rules"
            hint="One a line: what an event must be, then its owners. A line that begins with # is a comment."
            placeholder={`path:src/payments/* ${team}`}
            value={raw}
            problems={problems}
            onChange={setRaw}
          />
          <RuleHelp guide={ownershipGuide(team, person)} onTake={(rule) => setRaw(withRule(raw, rule))} />
        </div>
      </Section>
      <Section title="A new issue is assigned">
        <fieldset className={styles.modes} disabled={!mayChange}>
          <legend className="visually-hidden">A new issue is assigned</legend>
          {modes.map((each) => (
            <label key={each.mode} className={styles.mode}>
              <input type="radio" name="mode" checked={mode === each.mode} onChange={() => setMode(each.mode)} />
              <span>
                {each.label}
                <span className={styles.hint}>{each.hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </Section>
      <PreviewSection slug={slug} raw={tried} />
      <FormError error={save.error ?? checked.error} />
      <div className={styles.bar}>
        {mayChange ? (
          <>
            <Button type="submit" variant="primary" busy={save.isPending} disabled={!changed || problems.length > 0}>
              Save
            </Button>
            <Button
              disabled={!changed}
              onClick={() => {
                toast('Changes discarded', {
                  action: {
                    label: 'Undo',
                    run: () => {
                      setRaw(raw);
                      setMode(mode);
                    },
                  },
                });
                setRaw(ownership.raw);
                setMode(ownership.autoAssignment);
              }}
            >
              Discard changes
            </Button>
            <output className={styles.state}>
              {problems.length > 0
                ? `${plural(problems.length, 'problem')} to mend before saving`
                : changed
                  ? 'Not saved yet'
                  : 'All saved'}
            </output>
          </>
        ) : (
          <p className={styles.state}>You can try rules here. Owners and admins save them.</p>
        )}
      </div>
      {blocker.status === 'blocked' && (
        <Suspense>
          <Confirm
            title="Leave without saving?"
            action="Leave"
            onConfirm={() => blocker.proceed()}
            onClose={() => blocker.reset()}
          >
            The rules were changed and are not saved.
          </Confirm>
        </Suspense>
      )}
    </form>
  );
}
