import { Link } from '@tanstack/react-router';
import * as m from '../../messages/settings.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { places, placesShown } from '../places/places.ts';
import styles from './SettingsBar.module.css';

/** The bar of the organisation's settings with the way to each of them. */
export function SettingsBar() {
  return (
    <PageBar title={m.title}>
      <nav aria-label={m.title} className={styles.tabs}>
        {placesShown('settings').map((id) => (
          <Link key={id} to={places[id].to} className={buttonClass('ghost', 'small')}>
            {places[id].label}
          </Link>
        ))}
      </nav>
    </PageBar>
  );
}
