import { Link } from '@tanstack/react-router';
import { countRules } from '../../features/grouping/rule-text.ts';
import type { Project } from '../../features/projects/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { plural } from '../../ui/numbers.ts';
import { Section } from '../../ui/Page.tsx';

/** What the project has of grouping, and the way to change it. */
export function GroupingSection({ project }: { readonly project: Project }) {
  const { fingerprintingRules, groupingEnhancements, groupingConfig } = project;
  const fingerprint = countRules(fingerprintingRules);
  const stackTrace = countRules(groupingEnhancements);
  return (
    <Section
      title="Grouping"
      note={`${plural(fingerprint, 'fingerprint rule')} and ${plural(stackTrace, 'stack-trace rule')}, algorithm ${groupingConfig}.`}
      actions={
        <Link to="/projects/$slug/settings/grouping" params={{ slug: project.slug }} className={buttonClass()}>
          Rules and preview
        </Link>
      }
    >
      {null}
    </Section>
  );
}
