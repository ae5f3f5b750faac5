/** How long each class of data is kept, and up to which size. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { eachClass, retentionClasses } from '../../base/retention.ts';
import { retentionTexts } from '../../base/texts/retention.ts';
import { type Identity, isInstallationOwner } from '../../domains/accounts/index.ts';
import * as retention from '../../domains/retention/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import * as contract from './contract.ts';

type Shape = z.output<(typeof contract.getRetention)['response']>;
type Body = z.output<(typeof contract.updateRetention)['body']>;

export function retentionRoutes(api: Api): void {
  const { state, config, retention: keeper } = api.deps;
  const { retentionDays } = config;

  async function toShape(identity: Identity): Promise<Shape> {
    const [rules, report, drops, mayChange] = await Promise.all([
      retention.readRules(state),
      retention.readStored(state),
      retention.listDrops(state),
      isInstallationOwner(state, identity.userId),
    ]);
    const days = retention.daysBy(rules, retentionDays);
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
          keptDays: days[name],
          storedBytes: stored ? Math.round(retention.bytesOf(stored)) : null,
          storedRows: stored ? retention.rowsOf(stored) : null,
          overBytes: stored ? Math.round(retention.goesBy(stored, rule, Date.now()).overBytes) : 0,
        };
      }),
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
    const [rules, report] = await Promise.all([retention.readRules(state), retention.readStored(state)]);
    const wanted = changed(rules, body);
    const days = retention.daysBy(wanted, retentionDays);
    return {
      measuredAt: isoOrNull(report?.at ?? null),
      classes: retentionClasses.map((name) => {
        const rule = { days: days[name], limitBytes: wanted[name].limitBytes };
        const going = retention.goesBy(report?.classes[name] ?? { units: [] }, rule, Date.now());
        return {
          name,
          freedBytes: Math.round(going.bytes),
          freedRows: going.rows,
          before: isoOrNull(going.before),
          overBytes: Math.round(going.overBytes),
        };
      }),
    };
  });

  implement(api, contract.updateRetention, async ({ caller: { identity, membership }, body, recorded }) => {
    if (!(await isInstallationOwner(state, identity.userId))) throw new CodedError('PERMISSION_DENIED');
    await recorded(async (inside, note) => {
      const before = await retention.readRules(inside);
      const after = changed(before, body);
      await retention.saveRules(inside, after);
      note({ id: membership.organizationId, name: membership.slug }, { before: told(before), after: told(after) });
    });
    keeper?.wake();
    return toShape(identity);
  });
}

function changed(rules: retention.Rules, { classes }: Body): retention.Rules {
  const byName = new Map(classes.map((one) => [one.name, one]));
  const twice = classes.find((one) => byName.get(one.name) !== one);
  if (twice) throw new CodedError('INPUT_INVALID', [retentionTexts.twice(twice.name)]);
  return eachClass((name) => {
    const { days = rules[name].days, limitBytes = rules[name].limitBytes } = byName.get(name) ?? {};
    return { days, limitBytes };
  });
}

/** `logsDays`, `logsLimitBytes` */
const told = (rules: retention.Rules): Record<string, number | null> =>
  Object.fromEntries(
    retentionClasses.flatMap((name) => [
      [`${name}Days`, rules[name].days],
      [`${name}LimitBytes`, rules[name].limitBytes],
    ]),
  );
