import { Link } from 'react-router';
import { useVisibleCategories } from './use-categories.ts';

const SHOWN = 4;

/** The first four top-level categories, each with its children. */
export function CategoryStrip() {
  const roots = useVisibleCategories().slice(0, SHOWN);
  if (roots.length === 0) return null;
  return (
    <section aria-labelledby="category-strip" className="page-width mt-12">
      <div className="mb-4 flex items-baseline justify-between">
        <h2 id="category-strip" className="font-serif text-22 font-bold">
          分类浏览
        </h2>
        <Link to="/category" className="quiet-link py-1 text-14">
          全部文档
        </Link>
      </div>
      <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-4">
        {roots.map(({ id, title, children }) => (
          <li key={id} className="card p-5">
            <Link
              to={`/category/${id}`}
              className="rounded-sm font-serif text-18 font-bold transition-colors hover:text-bean"
            >
              {title}
            </Link>
            <ul className="mt-2 -ml-2 flex flex-wrap md:mt-3">
              {children.map((child) => (
                <li key={child.id}>
                  <Link
                    to={`/category/${child.id}`}
                    className="quiet-link inline-flex min-h-10 items-center px-2 text-14 md:min-h-8"
                  >
                    {child.title}
                  </Link>
                </li>
              ))}
            </ul>
            {children.length === 0 ? <p className="text-14 text-ink-2">暂无子分类</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
