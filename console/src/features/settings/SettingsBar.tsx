import { Link } from '@tanstack/react-router';
import * as m from '../../messages/settings.ts';
import { PageBar } from '../../ui/Page.tsx';
import { centreCurrent } from '../../ui/Tabs.tsx';
import { mayOpen, places } from '../places/places.ts';
import { useSession } from '../session/organization.ts';
import { groups } from './groups.ts';
import styles from './SettingsBar.module.css';

/** The bar of the settings, and the way to each of them: beside the page where there is room, else above it. */
export function SettingsBar() {
  const { access } = useSession().organization;
  return (
    <>
      <PageBar title={m.title} />
      <nav ref={centreCurrent} className={styles.ways} aria-label={m.title}>
        {groups
          .map(({ title, ids }) => ({ title, ids: ids.filter((id) => mayOpen(id, access)) }))
          .filter(({ ids }) => ids.length > 0)
          .map(({ title, ids }) => (
            <div key={title} role="group" aria-label={title} className={styles.group}>
              <span className={styles.title} aria-hidden="true">
                {title}
              </span>
              {ids.map((id) => (
                <Link key={id} to={places[id].to} className={styles.way}>
                  {places[id].label}
                </Link>
              ))}
            </div>
          ))}
      </nav>
    </>
  );
}
