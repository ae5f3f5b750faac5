import { Link } from '@tanstack/react-router';
import * as m from '../../messages/settings.ts';
import { PageBar } from '../../ui/Page.tsx';
import { tabClass, Tabs } from '../../ui/Tabs.tsx';
import { places, placesShown } from '../places/places.ts';

/** The bar of the organisation's settings with the way to each of them. */
export function SettingsBar() {
  return (
    <PageBar title={m.title}>
      <Tabs label={m.title} wrap>
        {placesShown('settings').map((id) => (
          <Link key={id} to={places[id].to} className={tabClass}>
            {places[id].label}
          </Link>
        ))}
      </Tabs>
    </PageBar>
  );
}
