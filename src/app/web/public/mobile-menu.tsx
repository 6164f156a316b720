import { Menu } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useDevice } from '#platform/web/device.ts';
import { IconButton } from '#platform/web/ui/button.tsx';

const load = () => import('./mobile-drawer.tsx');
const MobileDrawer = lazy(load);

/** The button of phones; what it opens loads when it is first touched. */
export function MobileMenu({ className }: { className: string }) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const isMobile = useDevice((device) => device.isMobile);
  const { pathname, search } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: going anywhere closes the drawer
  useEffect(() => setOpen(false), [pathname, search]);
  // Turned to landscape, the window may have become a tablet, which has no drawer.
  useEffect(() => {
    if (!isMobile) setOpen(false);
  }, [isMobile]);

  return (
    <>
      <IconButton
        label="菜单"
        aria-expanded={open}
        className={className}
        onPointerEnter={load}
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <Menu aria-hidden="true" className="size-5.5" />
      </IconButton>
      {wanted ? (
        <Suspense fallback={null}>
          <MobileDrawer open={open} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
