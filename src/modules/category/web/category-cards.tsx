import { Link } from 'react-router';
import type { CategoryNode } from './indexed-categories.ts';
import { useVisibleCategories } from './use-categories.ts';

/** Two rows of four cards on desktop; further categories are listed by title. */
const MAX_CARDS = 8;
const MAX_CHILDREN_PER_CARD = 6;

const linkClass = 'inline-flex min-h-10 items-center px-2 text-14 md:min-h-8';

export function CategoryCards() {
  const roots = useVisibleCategories();
  const rest = roots.slice(MAX_CARDS);
  if (roots.length === 0) return null;
  return (
    <section aria-labelledby="category-cards" className="page-width mt-12">
      <div className="mb-4 flex items-baseline justify-between">
        <h2 id="category-cards" className="font-serif text-22 font-bold">
          分类浏览
        </h2>
        <Link to="/category" className="quiet-link py-1 text-14">
          全部文档
        </Link>
      </div>
      <ul className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
        {roots.slice(0, MAX_CARDS).map((root) => (
          <CategoryCard key={root.id} category={root} />
        ))}
      </ul>
      {rest.length > 0 ? (
        <ul className="mt-3 -ml-2 flex flex-wrap">
          {rest.map(({ id, title }) => (
            <li key={id}>
              <Link to={`/category/${id}`} className={`quiet-link ${linkClass}`}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** On phones the whole card is a link; on larger screens it also shows links to the children. */
function CategoryCard({ category: { id, title, children } }: { category: CategoryNode }) {
  const hiddenCount = children.length - MAX_CHILDREN_PER_CARD;
  return (
    <li className="card relative px-4 py-3 md:p-5">
      <Link
        to={`/category/${id}`}
        className="rounded-sm font-serif text-16 font-bold transition-colors after:absolute after:inset-0 after:rounded-md hover:text-bean md:text-18 md:after:hidden"
      >
        {title}
      </Link>
      <p className="text-13 text-ink-2 md:hidden">{children.length > 0 ? `${children.length} 个子类` : '暂无子类'}</p>
      <ul className="mt-2 -ml-2 hidden flex-wrap md:flex">
        {children.slice(0, MAX_CHILDREN_PER_CARD).map((child) => (
          <li key={child.id}>
            <Link to={`/category/${child.id}`} className={`quiet-link ${linkClass}`}>
              {child.title}
            </Link>
          </li>
        ))}
        {hiddenCount > 0 ? (
          <li>
            <Link to={`/category/${id}`} className={`quiet-link ${linkClass}`}>
              还有 {hiddenCount} 类
            </Link>
          </li>
        ) : null}
      </ul>
      {children.length === 0 ? <p className="text-14 text-ink-2 max-md:hidden">暂无子分类</p> : null}
    </li>
  );
}
