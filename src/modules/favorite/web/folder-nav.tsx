import { Link } from 'react-router';
import { FolderVisibility } from './folder-visibility.tsx';

const chip =
  'inline-flex min-h-10 items-center gap-2 rounded-md border border-line px-3.5 text-14 transition-colors hover:border-bean hover:text-bean aria-[current]:border-bean aria-[current]:bg-bean-soft aria-[current]:text-bean';

type Folder = { id: number; title: string; is_public: boolean; favorite_count: number };

/** Links to all favorites and to each folder. `folderId` 0 selects all favorites. */
export function FolderNav({
  folders,
  folderId,
  hrefOf,
  showsVisibility = false,
}: {
  folders: Folder[];
  folderId: number;
  hrefOf: (folderId: number) => string;
  /** Shows whether each folder is public. */
  showsVisibility?: boolean;
}) {
  return (
    <nav aria-label="文辑">
      <ul className="flex flex-wrap gap-2">
        <li>
          <Link to={hrefOf(0)} preventScrollReset aria-current={folderId === 0 ? 'page' : undefined} className={chip}>
            全部
          </Link>
        </li>
        {folders.map(({ id, title, is_public, favorite_count }) => (
          <li key={id} className="min-w-0">
            <Link
              to={hrefOf(id)}
              preventScrollReset
              aria-current={folderId === id ? 'page' : undefined}
              className={`${chip} max-w-full`}
            >
              <span className="truncate">{title}</span>
              {showsVisibility ? <FolderVisibility isPublic={is_public} /> : null}
              <span className="text-13 text-ink-2">{favorite_count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
