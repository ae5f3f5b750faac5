import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { ruleProblemsQuery, type GroupingRules } from '../../features/grouping/queries.ts';
import { RuleEditor } from '../../features/grouping/RuleEditor.tsx';
import { fingerprintGuide, stackTraceGuide } from '../../features/grouping/rule-guides.ts';
import { withRule } from '../../features/grouping/rule-text.ts';
import { usePreview } from '../../features/grouping/use-preview.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { UnsavedGuard } from '../../features/settings/UnsavedGuard.tsx';
import * as m from '../../messages/grouping-rules.ts';
import { EditForm } from '../../ui/EditForm.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { GroupingPreview } from './GroupingPreview.tsx';
import { GroupingVersion } from './GroupingVersion.tsx';
import { useSaveProject } from './save-project.ts';
import { useLagging } from '../../ui/use-lagging.ts';

const route = getRouteApi('/shell/projects/$slug/settings/grouping');

/** How long nothing is typed before the server checks the rules. */
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
  const may = useMay('project:write');
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

  // Those who come with a rule want to see what it does.
  const showOffered = useEffectEvent(() => {
    if (rule && changed) preview.start({ rules: draft, period });
  });
  useEffect(() => showOffered(), []);

  const edit = (change: Partial<GroupingRules>): void => setDraft((before) => ({ ...before, ...change }));
  const editor = (field: 'fingerprintingRules' | 'groupingEnhancements') => ({
    value: draft[field],
    problems: problems.filter((problem) => problem.field === field),
    onChange: (text: string) => edit({ [field]: text }),
  });
  return (
    <EditForm
      changed={changed}
      problems={problems.length}
      busy={save.isPending}
      {...(!may && { readOnly: <Text>{m.readOnly}</Text> })}
      onSave={() => save.mutate(draft)}
      onDiscard={() => {
        toast(m.discarded, { action: { label: m.undo, run: () => setDraft(draft) } });
        setDraft(saved);
        preview.stop();
        forgetRule();
      }}
      after={
        <>
          <FormError error={checked.error} />
          <GroupingPreview
            preview={preview}
            outdated={
              preview.asked !== undefined && (!same(preview.asked.rules, draft) || preview.asked.period !== period)
            }
            changed={changed}
            period={period}
            onPeriod={setPeriod}
            onStart={() => preview.start({ rules: draft, period })}
          />
          <UnsavedGuard changed={changed} />
        </>
      }
    >
      <Text as="p">{m.intro}</Text>
      <RuleEditor
        label={m.fingerprintRules}
        hint={m.fingerprintHint}
        placeholder={'error.type:ConnectionError -> connection-error'}
        guide={fingerprintGuide}
        {...editor('fingerprintingRules')}
      />
      <RuleEditor
        label={m.stackTraceRules}
        hint={m.stackTraceHint}
        placeholder={'stack.function:withRetry -group'}
        guide={stackTraceGuide}
        {...editor('groupingEnhancements')}
      />
      <GroupingVersion
        project={project}
        chosen={draft.groupingConfig}
        onChoose={(groupingConfig) => edit({ groupingConfig })}
      />
      <FormError error={save.error} />
    </EditForm>
  );
}
