import { data, Link, useLoaderData, useRevalidator } from 'react-router';
import { useUser } from '#modules/access/web/session.ts';
import { Breadcrumb } from '#modules/category/web/breadcrumb.tsx';
import { type Document, documentApi } from '#modules/document/document.contract.ts';
import { TypeTag } from '#modules/document/web/type-tag.tsx';
import { readingApi } from '#modules/reading/reading.contract.ts';
import { PAGES_AT_ONCE, PageColumn, type Reading } from '#modules/reading/web/page-column.tsx';
import { StateBanner } from '#modules/reading/web/state-banner.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDate, formatSize } from '#platform/contract/format.ts';
import { browserLoader, type Load, serverLoader } from '#platform/web/loader.ts';

type DocumentData = { document: Document; reading: Reading };

const load: Load<DocumentData> = async (api, { params: { id } }) => {
  const named = /^\d{1,15}$/.test(id ?? '')
    ? { id: Number(id) }
    : /^[0-9a-f]{16}$/.test(id ?? '')
      ? { uuid: id }
      : null;
  if (!named) throw data(null, { status: 404 });
  const document = await api(documentApi.get, { ...named, with_author: true });
  return {
    document,
    reading: await api(readingApi.pages, { id: document.id, size: PAGES_AT_ONCE }),
  };
};
export const loader = serverLoader(load);
export const clientLoader = browserLoader(load);

export default function DocumentPage() {
  const { document, reading } = useLoaderData<DocumentData>();
  const { revalidate } = useRevalidator();
  const user = useUser();
  const { title, keywords, description } = document;
  return (
    <main className="page-width pt-6 pb-16">
      <PageHead
        title={title}
        keywords={keywords}
        description={description}
        hidden={document.visibility !== 0}
      />
      <Breadcrumb path={document.category} here="正文" />
      <h1 className="mt-2 font-serif text-28 font-bold text-balance">{title}</h1>
      <Facts document={document} />
      <div className="mt-5 empty:hidden">
        <StateBanner document={document} onReadable={revalidate} />
      </div>
      <div className="mx-auto mt-6 max-w-220">
        {reading.ready_pages > 0 ? (
          <PageColumn key={document.id} id={document.id} first={reading} reader={user?.id ?? 0} />
        ) : null}
      </div>
      {description ? (
        <section className="card mt-10 p-5 md:p-6">
          <h2 className="font-medium">文档简介</h2>
          <p className="mt-2 text-15 text-ink-2">{description}</p>
        </section>
      ) : null}
    </main>
  );
}

function Facts({ document }: { document: Document }) {
  const { display, system } = useSettings();
  const { ext, pages, size, view_count, download_count, created_at, price, username, user_id } =
    document;
  const facts = [
    ...(pages > 0 ? [`${pages} 页`] : []),
    formatSize(size),
    ...(display.show_document_view_count ? [`${view_count} 次阅读`] : []),
    ...(display.show_document_download_count ? [`${download_count} 次下载`] : []),
    formatDate(created_at),
  ];
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-13 text-ink-2">
      <TypeTag extension={ext} />
      <Link to={`/user/${user_id}`} className="font-medium text-ink hover:text-bean">
        {username}
      </Link>
      {facts.map((fact) => (
        <span key={fact} className="tabular-nums">
          {fact}
        </span>
      ))}
      <span className={price > 0 ? 'rounded-sm bg-gold-soft px-2 py-0.5 text-gold' : ''}>
        {price > 0 ? `${price} 个${system.credit_name}` : '免费'}
      </span>
    </div>
  );
}
