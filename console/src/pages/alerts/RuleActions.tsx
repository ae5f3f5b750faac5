import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DeleteIcon, MuteIcon, NotifyIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { draftOf, requestOf } from '../../features/alerts/draft.ts';
import {
  type AlertRule,
  changeRule,
  createRule,
  deleteRule,
  type MuteFor,
  muteRule,
  ruleQuery,
} from '../../features/alerts/queries.ts';
import { untilTomorrow } from '../../features/alerts/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/alerts.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Menu, MenuGroup, MenuItem } from '../../ui/Menu.tsx';
import { useNow } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './AlertsPage.module.css';

const silences: readonly (readonly [label: string, minutesAt: (now: Date) => number])[] = [
  [m.silences.hour, () => 60],
  [m.silences.workday, () => 480],
  [m.silences.tomorrow, untilTomorrow],
  [m.silences.week, () => 10_080],
];

/** On or off, muted for a time, deleted. Each can be undone. Who may not change the rule mutes it for themselves. */
export function RuleActions({ rule, onDeleted }: { readonly rule: AlertRule; readonly onDeleted?: () => void }) {
  const org = useOrg();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { name } = rule;
  const renewList = (): Promise<void> => queries.invalidateQueries({ queryKey: ['alerts', org, 'rules'] });
  const renew = (changed: AlertRule): void => {
    queries.setQueryData(ruleQuery(org, rule.id).queryKey, changed);
    queries.setQueriesData<AlertRule[]>({ queryKey: ['alerts', org, 'rules'] }, (rules) =>
      rules?.map((each) => (each.id === changed.id ? changed : each)),
    );
    void renewList();
  };
  const failed = (error: Error): void => toast(m.actionFailed({ reason: error.message }), { kind: 'failed' });
  const enable = useMutation({
    mutationFn: (enabled: boolean) => changeRule(org, rule.id, { enabled }),
    onSuccess: (changed) => {
      renew(changed);
      const { enabled } = changed;
      toast(enabled ? m.turnedOn({ name }) : m.turnedOff({ name }), {
        group: `rule ${rule.id}`,
        action: { label: m.undo, run: () => enable.mutate(!enabled) },
      });
    },
    onError: failed,
  });
  const mute = useMutation({
    mutationFn: (choice: { readonly minutes: number | null; readonly for: MuteFor }) => muteRule(org, rule.id, choice),
    onSuccess: (changed, { minutes, for: whom }) => {
      renew(changed);
      const mine = whom === 'me';
      const said = minutes === null ? (mine ? m.unmutedForYou : m.unmuted) : mine ? m.mutedForYou : m.muted;
      toast(said({ name }), {
        group: `rule ${rule.id}`,
        ...(minutes !== null && { action: { label: m.undo, run: () => mute.mutate({ minutes: null, for: whom }) } }),
      });
    },
    onError: failed,
  });
  const remove = useMutation({
    mutationFn: () => deleteRule(org, rule.id),
    onSuccess: () => {
      setAsking(false);
      onDeleted?.();
      void renewList();
      const again = (): void => void createRule(org, requestOf(draftOf(rule))).then(renewList, failed);
      toast(m.deleted({ name }), { group: `rule ${rule.id}`, action: { label: m.undo, run: again } });
    },
    onError: failed,
  });
  const now = useNow();
  const isAhead = (time: string | null): boolean => time !== null && Date.parse(time) > now;
  const muted: MuteFor | undefined =
    rule.mayChange && isAhead(rule.mutedUntil) ? 'everyone' : isAhead(rule.mutedForMeUntil) ? 'me' : undefined;
  const groups: readonly MuteFor[] = rule.mayChange ? ['everyone', 'me'] : ['me'];
  return (
    <>
      <Inline gap={4}>
        {rule.mayChange && (
          <label className={styles.onOff}>
            <input
              type="checkbox"
              checked={enable.isPending ? enable.variables : rule.enabled}
              disabled={enable.isPending}
              aria-label={m.onRule({ name })}
              onChange={(event) => enable.mutate(event.target.checked)}
            />
            {m.on}
          </label>
        )}
        {muted ? (
          <IconButton
            icon={<MuteIcon size={14} />}
            label={m.unmuteRule({ name })}
            tip={muted === 'me' ? m.unmuteForYou : m.unmute}
            onClick={() => mute.mutate({ minutes: null, for: muted })}
          />
        ) : (
          <Menu
            label={m.muteRule({ name })}
            align="end"
            renderTrigger={(props) => (
              <IconButton {...props} icon={<NotifyIcon size={14} />} label={m.muteRule({ name })} tip={m.muteHint} />
            )}
          >
            {groups.map((whom) => (
              <MenuGroup key={whom} title={m.muteFor[whom]}>
                {silences.map(([label, minutesAt]) => (
                  <MenuItem key={label} onSelect={() => mute.mutate({ minutes: minutesAt(new Date()), for: whom })}>
                    {label}
                  </MenuItem>
                ))}
              </MenuGroup>
            ))}
          </Menu>
        )}
        {rule.mayChange && (
          <IconButton
            icon={<DeleteIcon size={14} />}
            label={m.deleteRule({ name })}
            tip={m.deleteAction}
            onClick={() => setAsking(true)}
          />
        )}
      </Inline>
      {asking && (
        <Confirm
          title={m.deleteTitle({ name })}
          action={m.deleteAction}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{m.deleteHint}</p>
        </Confirm>
      )}
    </>
  );
}
