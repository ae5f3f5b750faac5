import { Link } from '@tanstack/react-router';
import { places } from '../../features/places/places.ts';
import * as m from '../../messages/my-account.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Section } from '../../ui/Page.tsx';

/** They differ from organisation to organisation, so they have a page of their own. */
export function NotificationsSection() {
  return (
    <Section title={m.notifications} note={m.notificationsNote}>
      <div>
        <Link to={places.notifications.to} className={buttonClass('normal')}>
          {m.openNotifications}
        </Link>
      </div>
    </Section>
  );
}
