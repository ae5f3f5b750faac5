import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DeleteIcon, MuteIcon, NotifyIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useState } from 'react';
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
import { IconButton } from '../../ui/Button.tsx';
import { Menu, MenuGroup, MenuItem } from '../../ui/Menu.tsx';
import { useNow } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './AlertsPage.module.css';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));

const silences: readonly (readonly [label: string, minutesAt: (now: Date) => number])[] = [
  ['1 hour', () => 60],
  ['8 hours', () => 480],
  ['Until tomorrow, 8:00', untilTomorrow],
  ['A week', () => 10_080],
];

/** On or off, muted for a time, deleted. Each can be taken back. Who may not change the rule mutes it for themselves. */
export function RuleActions({ rule, onDeleted }: { readonly rule: AlertRule; readonly onDeleted?: () => void }) {
  const org = useOrg();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const renewList = (): Promise<void> => queries.invalidateQueries({ queryKey: ['alerts', org, 'rules'] });
  const renew = (changed: AlertRule): void => {
    queries.setQueryData(ruleQuery(org, rule.id).queryKey, changed);
    queries.setQueriesData<AlertRule[]>({ queryKey: ['alerts', org, 'rules'] }, (rules) =>
      rules?.map((each) => (each.id === changed.id ? changed : each)),
    );
    void renewList();
  };
  const failed = (error: Error): void => toast(`This did not work: ${error.message}`, { kind: 'failed' });
  const enable = useMutation({
    mutationFn: (enabled: boolean) => changeRule(org, rule.id, { enabled }),
    onSuccess: (changed) => {
      renew(changed);
      const { enabled } = changed;
      toast(enabled ? `${rule.name} is on` : `${rule.name} is off`, {
        group: `rule ${rule.id}`,
        action: { label: 'Undo', run: () => enable.mutate(!enabled) },
      });
    },
    onError: failed,
  });
  const mute = useMutation({
    mutationFn: (choice: { readonly minutes: number | null; readonly for: MuteFor }) => muteRule(org, rule.id, choice),
    onSuccess: (changed, { minutes, for: whom }) => {
      renew(changed);
      const forWhom = whom === 'me' ? ' for you' : '';
      toast(minutes === null ? `${rule.name} is unmuted${forWhom}` : `${rule.name} is muted${forWhom}`, {
        group: `rule ${rule.id}`,
        ...(minutes !== null && { action: { label: 'Undo', run: () => mute.mutate({ minutes: null, for: whom }) } }),
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
      toast(`${rule.name} is deleted`, { group: `rule ${rule.id}`, action: { label: 'Undo', run: again } });
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
      <div className={styles.actions}>
        {rule.mayChange && (
          <label className={styles.switch}>
            <input
              type="checkbox"
              checked={enable.isPending ? enable.variables : rule.enabled}
              disabled={enable.isPending}
              onChange={(event) => enable.mutate(event.target.checked)}
            />
            <span>On</span>
            <span className="visually-hidden">: {rule.name}</span>
          </label>
        )}
        {muted ? (
          <IconButton
            icon={<MuteIcon size={14} />}
            label={`Unmute ${rule.name}`}
            tip={muted === 'me' ? 'Unmute for you' : 'Unmute'}
            onClick={() => mute.mutate({ minutes: null, for: muted })}
          />
        ) : (
          <Menu
            label={`Mute ${rule.name}`}
            align="end"
            renderTrigger={(props) => (
              <IconButton
                {...props}
                icon={<NotifyIcon size={14} />}
                label={`Mute ${rule.name}`}
                tip="Mute for a time"
              />
            )}
          >
            {groups.map((whom) => (
              <MenuGroup key={whom} title={whom === 'me' ? 'For you: no mail to your address' : 'For everyone'}>
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
            label={`Delete ${rule.name}`}
            tip="Delete"
            onClick={() => setAsking(true)}
          />
        )}
      </div>
      {asking && (
        <Suspense>
          <Confirm
            title={`Delete “${rule.name}”?`}
            action="Delete"
            busy={remove.isPending}
            onConfirm={() => remove.mutate()}
            onClose={() => setAsking(false)}
          >
            Its history goes with it. The rule itself can be taken back right afterwards.
          </Confirm>
        </Suspense>
      )}
    </>
  );
}
