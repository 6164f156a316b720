import { Menu } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { useDevice } from '#platform/web/device.ts';
import { IconButton } from '#platform/web/ui/button.tsx';

const loadDrawer = () => import('./mobile-drawer.tsx');
const MobileDrawer = lazy(loadDrawer);

/** The menu button on phones. The drawer is loaded on the first touch. */
export function MobileMenu({ className }: { className: string }) {
  /** The URL at which the drawer was opened: a navigation closes it. */
  const [openAt, setOpenAt] = useState('');
  const [isDrawerLoaded, setDrawerLoaded] = useState(false);
  const isMobile = useDevice((device) => device.isMobile);
  const { pathname, search } = useLocation();
  const currentUrl = pathname + search;
  // In landscape orientation the window may count as a tablet, which has no drawer.
  const open = isMobile && openAt === currentUrl;
  if (openAt !== '' && !open) setOpenAt('');

  return (
    <>
      <IconButton
        label="菜单"
        aria-expanded={open}
        className={className}
        onPointerEnter={loadDrawer}
        onClick={() => {
          setDrawerLoaded(true);
          setOpenAt(currentUrl);
        }}
      >
        <Menu aria-hidden="true" className="size-5.5" />
      </IconButton>
      {isDrawerLoaded ? (
        <Suspense fallback={null}>
          <MobileDrawer open={open} onClose={() => setOpenAt('')} />
        </Suspense>
      ) : null}
    </>
  );
}
