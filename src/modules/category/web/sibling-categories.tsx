import { Link } from 'react-router';
import { Disclosure } from '#platform/web/ui/disclosure.tsx';
import type { CategoryNode } from './indexed-categories.ts';

export function SiblingCategories({ siblings, id }: { siblings: CategoryNode[]; id: number }) {
  const current = siblings.find((sibling) => sibling.id === id);
  if (!current || siblings.length < 2) return null;
  return (
    <Disclosure label={`“${current.title}”的同级分类`}>
      <ul>
        {siblings.map(({ id: siblingId, title }) => (
          <li key={siblingId}>
            <Link
              to={`/category/${siblingId}`}
              aria-current={siblingId === id ? 'true' : undefined}
              className="flex min-h-10 items-center rounded-sm px-3 text-14 hover:bg-bean-soft hover:text-bean focus-visible:-outline-offset-2 aria-[current]:font-medium aria-[current]:text-bean"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
