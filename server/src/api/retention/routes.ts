/** How long each class of data is kept, and up to which size. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { eachClass, retentionClasses } from '../../base/retention.ts';
import { type Identity, isInstallationOwner } from '../../domains/accounts/index.ts';
import { heldAmong } from '../../domains/projects/index.ts';
import * as retention from '../../domains/retention/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import * as contract from './contract.ts';
import { oneEach } from './one-each.ts';

type Shape = z.output<(typeof contract.getRetention)['response']>;
type Body = z.output<(typeof contract.updateRetention)['body']>;

export function retentionRoutes(api: Api): void {
  const { state, events, config, retention: keeper } = api.deps;
  const { retentionDays } = config;

  async function toShape(identity: Identity): Promise<Shape> {
    const [{ rules, policies, choices }, report, drops, mayChange] = await Promise.all([
      retention.readChosen(state),
      retention.readStored(state),
      retention.listDrops(state),
      isInstallationOwner(state, identity.userId),
    ]);
    const ages = retention.agesBy({ rules, policies, choices }, retentionDays);
    return {
      defaultDays: retentionDays,
      mayChange,
      measuredAt: isoOrNull(report?.at ?? null),
      classes: retentionClasses.map((name) => {
        const stored = report?.classes[name];
        const rule = { days: Infinity, limitBytes: rules[name].limitBytes };
        return {
          name,
          ...rules[name],
          keptDays: ages[name].days,
          storedBytes: stored ? Math.round(retention.bytesOf(stored)) : null,
          storedRows: stored ? retention.rowsOf(stored) : null,
          overBytes: stored ? Math.round(retention.goesBy(stored, rule, Date.now()).overBytes) : 0,
        };
      }),
      policies: policies.map(({ id, name, days }) => ({
        name,
        days,
        projects: new Set(choices.filter(({ policyId }) => policyId === id).map(({ projectId }) => projectId)).size,
      })),
      drops: drops.map(({ name, reason, before, bytes, rows, createdAt, doneAt }) => ({
        name,
        reason,
        before: iso(before),
        bytes,
        rows,
        date: iso(createdAt),
        done: doneAt !== null,
      })),
    };
  }

  implement(api, contract.getRetention, ({ caller: { identity } }) => toShape(identity));

  implement(api, contract.previewRetention, async ({ body }) => {
    const [chosen, report, holds] = await Promise.all([
      retention.readChosen(state),
      retention.readStored(state),
      heldAmong(state),
    ]);
    const held = holds.map(({ projectId }) => projectId);
    const wanted = changed(chosen, body);
    const ages = retention.agesBy(wanted, retentionDays);
    const classes = [];
    for (const name of retentionClasses) {
      const rule = { ages: ages[name], limitBytes: wanted.rules[name].limitBytes };
      const going = await retention.freedBy({ events, report, now: Date.now() }, name, { ...rule, held });
      classes.push({
        name,
        freedBytes: Math.round(going.bytes),
        freedRows: going.rows,
        before: isoOrNull(going.before),
        overBytes: Math.round(going.overBytes),
      });
    }
    return { measuredAt: isoOrNull(report?.at ?? null), classes };
  });

  implement(api, contract.updateRetention, async ({ caller: { identity, membership }, body, recorded }) => {
    if (!(await isInstallationOwner(state, identity.userId))) throw new CodedError('PERMISSION_DENIED');
    await recorded(async (inside, note) => {
      const before = await retention.readChosen(inside);
      const after = changed(before, body);
      await retention.saveRules(inside, after.rules);
      if (body.policies) await retention.savePolicies(inside, body.policies);
      note({ id: membership.organizationId, name: membership.slug }, { before: told(before), after: told(after) });
    });
    await keeper?.changed();
    return toShape(identity);
  });
}

function changed(chosen: retention.Chosen, { classes = [], policies }: Body): retention.Chosen {
  const byName = oneEach(classes);
  const rules = eachClass((name) => {
    const there = chosen.rules[name];
    const { days = there.days, limitBytes = there.limitBytes } = byName.get(name) ?? {};
    return { days, limitBytes };
  });
  if (!policies) return { ...chosen, rules };
  return { ...chosen, rules, policies: retention.changedPolicies(chosen.policies, chosen.choices, policies) };
}

/** `logsDays`, `logsLimitBytes`, and the policies in one text. */
const told = ({ rules, policies }: retention.Chosen): Record<string, number | string | null> => ({
  ...Object.fromEntries(
    retentionClasses.flatMap((name) => [
      [`${name}Days`, rules[name].days],
      [`${name}LimitBytes`, rules[name].limitBytes],
    ]),
  ),
  policies: policies.map(({ name, days }) => `${name}: ${days}`).join(', '),
});
