import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/Button.tsx';
import { PageBar } from '../../ui/Page.tsx';
import styles from './SettingsBar.module.css';

/** The bar of the organisation's settings with the way to each of them. */
export function SettingsBar() {
  return (
    <PageBar title="Settings">
      <nav aria-label="Settings" className={styles.tabs}>
        <Link to="/settings/tokens" className={buttonClass('ghost', 'small')}>
          API tokens
        </Link>
        <Link to="/settings/repositories" className={buttonClass('ghost', 'small')}>
          Repositories
        </Link>
        <Link to="/settings/members" className={buttonClass('ghost', 'small')}>
          Members
        </Link>
        <Link to="/settings/teams" className={buttonClass('ghost', 'small')}>
          Teams
        </Link>
        <Link to="/settings/channels" className={buttonClass('ghost', 'small')}>
          Channels
        </Link>
        <Link to="/settings/notifications" className={buttonClass('ghost', 'small')}>
          Notifications
        </Link>
      </nav>
    </PageBar>
  );
}
