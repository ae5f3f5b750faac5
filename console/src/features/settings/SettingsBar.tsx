import { Link } from '@tanstack/react-router';
import * as m from '../../messages/settings.ts';
import { PageBar } from '../../ui/Page.tsx';
import { tabClass, Tabs } from '../../ui/Tabs.tsx';
import { mayOpen, places, placesShown } from '../places/places.ts';
import { useSession } from '../session/organization.ts';

/** The bar of the organisation's settings with the way to each of them. */
export function SettingsBar() {
  const { access } = useSession().organization;
  return (
    <PageBar title={m.title}>
      <Tabs label={m.title} many>
        {placesShown('settings')
          .filter((id) => mayOpen(id, access))
          .map((id) => (
            <Link key={id} to={places[id].to} className={tabClass}>
              {places[id].label}
            </Link>
          ))}
      </Tabs>
    </PageBar>
  );
}
