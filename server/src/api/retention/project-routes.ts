/** Which retention policies a project has. */
import type { z } from 'zod';
import { eachClass, retentionClasses } from '../../base/retention.ts';
import { findHold, type Project } from '../../domains/projects/index.ts';
import * as retention from '../../domains/retention/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { tellableProject } from '../shared/tellable.ts';
import * as contract from './contract.ts';
import { oneEach } from './one-each.ts';

type Shape = z.output<(typeof contract.getProjectRetention)['response']>;
type Body = z.output<(typeof contract.updateProjectRetention)['body']>;

export function projectRetentionRoutes(api: Api): void {
  const { state, events, config, retention: keeper } = api.deps;
  const { retentionDays } = config;

  async function toShape({ id }: Project): Promise<Shape> {
    const [chosen, hold] = await Promise.all([retention.readChosen(state), findHold(state, id)]);
    const ages = retention.agesBy(chosen, retentionDays);
    const named = namesOf(chosen, id);
    return {
      classes: retentionClasses.map((name) => ({
        name,
        policy: named[name],
        keptDays: retention.daysFor(ages[name], id),
      })),
      policies: chosen.policies.map(({ name, days }) => ({ name, days })),
      held: hold !== undefined,
    };
  }

  implement(api, contract.getProjectRetention, ({ caller: { project } }) => toShape(project));

  implement(api, contract.previewProjectRetention, async ({ caller: { project }, body }) => {
    const [chosen, report, hold] = await Promise.all([
      retention.readChosen(state),
      retention.readStored(state),
      findHold(state, project.id),
    ]);
    const choices = retention.chosenBy(chosen.policies, chosen.choices, project.id, choosingOf(body));
    const ages = retention.agesBy({ ...chosen, choices }, retentionDays);
    const classes = [];
    for (const name of retentionClasses) {
      const keptDays = retention.daysFor(ages[name], project.id);
      const look = { events, report, now: Date.now() };
      const freed = hold ? { rows: 0, bytes: 0 } : await retention.freedOf(look, name, project.id, keptDays);
      classes.push({ name, keptDays, freedRows: freed.rows, freedBytes: Math.round(freed.bytes) });
    }
    return { classes };
  });

  implement(api, contract.updateProjectRetention, async ({ caller: { project }, body, recorded }) => {
    await recorded(async (inside, note) => {
      const chosen = await retention.readChosen(inside);
      const choices = retention.chosenBy(chosen.policies, chosen.choices, project.id, choosingOf(body));
      await retention.saveChoices(inside, project.id, choices);
      const [before, after] = [namesOf(chosen, project.id), namesOf({ ...chosen, choices }, project.id)];
      note(tellableProject(project), { before, after });
    });
    await keeper?.changed();
    return toShape(project);
  });
}

const choosingOf = ({ classes }: Body): retention.Choosing =>
  Object.fromEntries([...oneEach(classes)].map(([name, { policy }]) => [name, policy]));

/** Of its policies, by class; null where it has none. */
const namesOf = ({ policies, choices }: retention.Chosen, projectId: number) =>
  eachClass((name) => {
    const own = choices.find((choice) => choice.projectId === projectId && choice.name === name);
    return policies.find(({ id }) => id === own?.policyId)?.name ?? null;
  });
