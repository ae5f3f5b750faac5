import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { ruleProblemsQuery, type GroupingRules } from '../../features/grouping/queries.ts';
import { RuleEditor } from '../../features/grouping/RuleEditor.tsx';
import { fingerprintGuide, RuleHelp, stackTraceGuide } from '../../features/grouping/RuleHelp.tsx';
import { withRule } from '../../features/grouping/rule-text.ts';
import { usePreview } from '../../features/grouping/use-preview.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { plural } from '../../ui/numbers.ts';
import { toast } from '../../ui/toasts.ts';
import styles from './GroupingForm.module.css';
import { GroupingPreview } from './GroupingPreview.tsx';
import { GroupingVersion } from './GroupingVersion.tsx';
import { useLagging } from './use-lagging.ts';
import { useSaveProject } from './use-save-project.ts';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));
const route = getRouteApi('/shell/projects/$slug/settings/grouping');

/** How long somebody does not type before the server looks at the rules. */
const checkAfterMs = 300;

const rulesOf = ({ fingerprintingRules, groupingEnhancements, groupingConfig }: Project): GroupingRules => ({
  fingerprintingRules,
  groupingEnhancements,
  groupingConfig,
});

const same = (a: GroupingRules, b: GroupingRules): boolean =>
  a.fingerprintingRules === b.fingerprintingRules &&
  a.groupingEnhancements === b.groupingEnhancements &&
  a.groupingConfig === b.groupingConfig;

/** Both texts of rules and the version, checked as they are written, previewed, and saved together. */
export function GroupingForm({ project, rule }: { readonly project: Project; readonly rule: string | undefined }) {
  const org = useOrg();
  const navigate = route.useNavigate();
  const saved = rulesOf(project);
  const [draft, setDraft] = useState<GroupingRules>(() => ({
    ...saved,
    fingerprintingRules: withRule(saved.fingerprintingRules, rule ?? ''),
  }));
  const [period, setPeriod] = useState('7d');
  const preview = usePreview(org, project.slug);
  const changed = !same(draft, saved);
  const forgetRule = (): void => void navigate({ search: (before) => ({ ...before, rule: undefined }), replace: true });
  const save = useSaveProject(project, (updated) => {
    setDraft(rulesOf(updated));
    forgetRule();
  });
  const checked = useQuery(ruleProblemsQuery(org, project.slug, useLagging(draft, checkAfterMs)));
  const problems = checked.data ?? [];
  const problemsOf = (field: keyof GroupingRules) => problems.filter((problem) => problem.field === field);

  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => changed && current.pathname !== next.pathname,
    enableBeforeUnload: () => changed,
    withResolver: true,
  });

  // Who comes with a rule wants to see what it does.
  const showOffered = useEffectEvent(() => {
    if (rule && changed) preview.start({ rules: draft, period });
  });
  useEffect(() => showOffered(), []);

  const edit = (change: Partial<GroupingRules>): void => setDraft((before) => ({ ...before, ...change }));
  const take = (field: 'fingerprintingRules' | 'groupingEnhancements') => (taken: string) =>
    edit({ [field]: withRule(draft[field], taken) });
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && problems.length === 0) save.mutate(draft);
      }}
    >
      <p className={styles.intro}>
        Rules apply to events from now on; what is stored stays in its issue, and new events of its kind go where the
        preview says. The first fingerprint rule that matches decides and goes before the fingerprint that an SDK sets;
        stack-trace rules say which frames count.
      </p>
      <div className={styles.pair}>
        <RuleEditor
          label="Fingerprint rules"
          hint="One a line: what an event must be -> what it is grouped by. A line that begins with # is a comment."
          placeholder={'error.type:ConnectionError -> connection-error'}
          value={draft.fingerprintingRules}
          problems={problemsOf('fingerprintingRules')}
          onChange={(fingerprintingRules) => edit({ fingerprintingRules })}
        />
        <RuleHelp guide={fingerprintGuide} onTake={take('fingerprintingRules')} />
      </div>
      <div className={styles.pair}>
        <RuleEditor
          label="Stack-trace rules"
          hint="One a line: which frame, then what becomes of it. They are tried from top to bottom; later ones win."
          placeholder={'stack.function:withRetry -group'}
          value={draft.groupingEnhancements}
          problems={problemsOf('groupingEnhancements')}
          onChange={(groupingEnhancements) => edit({ groupingEnhancements })}
        />
        <RuleHelp guide={stackTraceGuide} onTake={take('groupingEnhancements')} />
      </div>
      <GroupingVersion
        project={project}
        chosen={draft.groupingConfig}
        onChoose={(groupingConfig) => edit({ groupingConfig })}
      />
      <FormError error={save.error} />
      <div className={styles.bar}>
        <Button type="submit" variant="primary" busy={save.isPending} disabled={!changed || problems.length > 0}>
          Save
        </Button>
        <Button
          disabled={!changed}
          onClick={() => {
            toast('Changes discarded', { action: { label: 'Undo', run: () => setDraft(draft) } });
            setDraft(saved);
            preview.stop();
            forgetRule();
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
      </div>
      <FormError error={checked.error} />
      <GroupingPreview
        preview={preview}
        outdated={preview.asked !== undefined && (!same(preview.asked.rules, draft) || preview.asked.period !== period)}
        changed={changed}
        period={period}
        onPeriod={setPeriod}
        onStart={() => preview.start({ rules: draft, period })}
      />
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
