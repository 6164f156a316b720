import { ChevronDown } from 'lucide-react';
import { lazy } from 'react';
import { LazyMenu } from '#platform/web/ui/lazy-menu.tsx';

const load = () => import('./channel-menu-popup.tsx');
const ChannelMenuPopup = lazy(() => load().then((module) => ({ default: module.ChannelMenuPopup })));

/** All categories, on every page but the home page. */
export function ChannelMenu() {
  return (
    <LazyMenu
      prepare={load}
      className="flex h-10 items-center gap-1 rounded-md px-3 text-14 transition-colors hover:bg-bean-soft hover:text-bean aria-expanded:bg-bean-soft aria-expanded:text-bean"
      trigger={
        <>
          频道分类
          <ChevronDown aria-hidden="true" className="size-4 opacity-70" />
        </>
      }
    >
      {(popup) => <ChannelMenuPopup {...popup} />}
    </LazyMenu>
  );
}
