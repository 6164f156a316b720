import { Link } from 'react-router';
import { Disclosure } from '#platform/web/ui/disclosure.tsx';
import type { CategoryNode } from './category-tree.ts';

/** The categories beside this one; nothing where it is alone. */
export function SiblingCrumbs({ siblings, id }: { siblings: CategoryNode[]; id: number }) {
  const here = siblings.find((each) => each.id === id);
  if (!here || siblings.length < 2) return null;
  return (
    <Disclosure label={`“${here.title}”的同级分类`}>
      <ul>
        {siblings.map(({ id: each, title }) => (
          <li key={each}>
            <Link
              to={`/category/${each}`}
              aria-current={each === id ? 'true' : undefined}
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
