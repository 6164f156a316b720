import { ChevronDown } from 'lucide-react';
import { lazy } from 'react';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { LazyMenu } from '#platform/web/ui/lazy-menu.tsx';
import type { User } from '../account.contract.ts';

const loadUserMenuPopup = () => import('./user-menu-popup.tsx');
const UserMenuPopup = lazy(() => loadUserMenuPopup().then((module) => ({ default: module.UserMenuPopup })));

export function UserMenu({ user, className = '' }: { user: User; className?: string }) {
  return (
    <LazyMenu
      preload={loadUserMenuPopup}
      className={`flex h-11 items-center gap-2 rounded-md px-2 text-14 transition-colors ${className}`}
      trigger={
        <>
          <Avatar src={user.avatar} size={32} />
          <span className="max-w-32 truncate">{user.username}</span>
          <ChevronDown aria-hidden="true" className="size-4 opacity-70" />
        </>
      }
    >
      {(popup) => <UserMenuPopup user={user} {...popup} />}
    </LazyMenu>
  );
}
