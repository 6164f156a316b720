import { Link } from 'react-router';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import type { documentApi } from '../document.contract.ts';
import { Cover } from './cover.tsx';
import type { CardDocument } from './document-card.tsx';
import { typeColor } from './type-tag.tsx';

type HomeCategory = OutputOf<typeof documentApi.home>['document'][number];
export type HomeSection = Omit<HomeCategory, 'document'> & { document: CardDocument[] };

/** Newest documents per category: a cover and titles. */
export function HomeSections({ sections }: { sections: HomeSection[] }) {
  const nonEmptySections = sections.filter(({ document }) => document.length > 0);
  if (nonEmptySections.length === 0) return null;
  return (
    <div className="page-width mt-12 grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-6">
      {nonEmptySections.map((section) => (
        <CategorySection key={section.category_id} section={section} />
      ))}
    </div>
  );
}

function CategorySection({
  section: { category_id, category_name, category_cover, document },
}: {
  section: HomeSection;
}) {
  const name = `shelf-${category_id}`;
  const to = `/category/${category_id}`;
  const [first] = document;
  return (
    <section aria-labelledby={name} className="card p-5 md:p-6">
      <div className="mb-4 flex items-baseline justify-between">
        <h2 id={name} className="font-serif text-18 font-bold">
          <Link to={to} className="rounded-sm transition-colors hover:text-bean">
            {category_name}
          </Link>
        </h2>
        <Link to={to} aria-label={`更多${category_name}`} className="quiet-link py-1 text-14">
          更多
        </Link>
      </div>
      <div className="flex gap-5">
        {/* The same links are next to it as text. */}
        <Link
          to={category_cover || !first ? to : `/document/${first.id}`}
          tabIndex={-1}
          aria-hidden="true"
          className="group w-24 shrink-0 self-start md:w-28"
        >
          {category_cover ? (
            <img
              src={category_cover}
              alt=""
              loading="lazy"
              className="aspect-[210/297] w-full rounded-sm object-cover"
            />
          ) : first ? (
            <Cover document={first} />
          ) : null}
        </Link>
        <ul className="min-w-0 flex-1">
          {document.map(({ id, title, ext }) => (
            <li key={id}>
              <Link
                to={`/document/${id}`}
                className="flex min-h-10 items-center gap-2.5 rounded-sm text-14 transition-colors hover:text-bean md:min-h-8"
              >
                <span
                  aria-hidden="true"
                  className="size-1.5 shrink-0 rounded-full"
                  style={{ background: typeColor(ext) }}
                />
                <span className="truncate">{title}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
