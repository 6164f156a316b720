import { Link } from 'react-router';

const tab = 'inline-flex min-h-10 items-center rounded-md px-4 text-14 transition-colors';

type View = { to: string; title: string; isOpen: boolean };

/** Tabs that are links, for views of a list with their own URLs. */
export function LinkTabs({ label, views }: { label: string; views: readonly View[] }) {
  return (
    <nav aria-label={label} className="flex gap-1">
      {views.map(({ to, title, isOpen }) => (
        <Link
          key={to}
          to={to}
          preventScrollReset
          aria-current={isOpen ? 'page' : undefined}
          className={`${tab} ${isOpen ? 'bg-bean-soft font-medium text-bean' : 'text-ink-2 hover:text-bean'}`}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
