/** Whom an issue could be assigned to: by rules, and by who changed the file that threw. */
import type { IssueRow } from '../issues/index.ts';
import type { Project } from '../projects/index.ts';
import { findSuspects, type Suspect } from '../releases/index.ts';
import { listCodeMappings } from '../repositories/index.ts';
import { peopleOf } from '../teams/index.ts';
import { matchesOf } from './evaluate.ts';
import { factsOfIssue, type Stores } from './issue-facts.ts';
import { type Owner, ownerKey, type Owners, ownersAmong } from './people.ts';
import { getOwnership, ruleSetOf } from './store.ts';

export interface Reason {
  readonly kind: 'rule' | 'codeowners' | 'commit';
  /** The rule as written, or the first line of the commit. */
  readonly text: string;
  /** Of the rule. */
  readonly line: number | null;
  /** What it matched, or the file that the commit touched. */
  readonly why: string;
  readonly commit: string | null;
}

export interface SuggestedOwner {
  readonly owner: Owner;
  readonly reasons: readonly Reason[];
}

const maxOwners = 20;

/** By rules first, the one that decides before others; then by suspect commits. */
export async function suggestOwners(
  stores: Stores,
  project: Pick<Project, 'id' | 'organizationId'>,
  issue: Pick<IssueRow, 'id' | 'projectId' | 'firstRelease'>,
): Promise<SuggestedOwner[]> {
  const { state } = stores;
  const mappings = await listCodeMappings(state, project.organizationId, [project.id]);
  const facts = await factsOfIssue(stores, issue, mappings);
  if (!facts) return [];
  const owners = ownersAmong(await peopleOf(state, project.organizationId));
  const ruleSet = ruleSetOf(await getOwnership(state, project.id));
  const found = new Map<string, { owner: Owner; reasons: Reason[] }>();
  const add = (owner: Owner, reason: Reason): void => {
    const known = found.get(ownerKey(owner));
    if (known) known.reasons.push(reason);
    else if (found.size < maxOwners) found.set(ownerKey(owner), { owner, reasons: [reason] });
  };
  for (const { source, text, line, why, owners: named } of matchesOf(ruleSet, facts, owners)) {
    for (const owner of named) add(owner, { kind: source, text, line, why, commit: null });
  }
  const { suspects } = await findSuspects(state, project.organizationId, {
    version: issue.firstRelease,
    frame: facts.top,
    mappings,
  });
  for (const { suspect, owner } of authorsOf(suspects, owners)) {
    const { sha, message } = suspect.commit;
    const [text = ''] = message.split('\n', 1);
    add(owner, { kind: 'commit', text: text.slice(0, 200), line: null, why: suspect.file, commit: sha });
  }
  return [...found.values()];
}

/** Suspects whose authors are members, by address; the newest first. */
export function authorsOf(suspects: readonly Suspect[], owners: Owners): { suspect: Suspect; owner: Owner }[] {
  return suspects.flatMap((suspect) => {
    const owner = owners.named(suspect.commit.authorEmail);
    return owner ? [{ suspect, owner }] : [];
  });
}
