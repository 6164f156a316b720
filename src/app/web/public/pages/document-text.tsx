import { lazy, Suspense, useEffect } from 'react';
import { Link, useLoaderData, useRevalidator } from 'react-router';
import { getSessionUser, useUser } from '#modules/account/web/session-store.ts';
import { Breadcrumb } from '#modules/category/web/breadcrumb.tsx';
import type { Document } from '#modules/document/document.contract.ts';
import { loadRequestedDocument } from '#modules/document/web/load-requested-document.ts';
import { plainTextApi } from '#modules/reading/plain-text.contract.ts';
import { type PlainText, PlainTextPages } from '#modules/reading/web/plain-text-pages.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { httpErrors } from '#platform/contract/errors.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { browserLoader, type PageLoad, pageNumberOf, serverLoader } from '#platform/web/page-loader.ts';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';

const Watermark = lazy(() =>
  import('#modules/watermark/web/watermark.tsx').then((module) => ({ default: module.Watermark })),
);

/** `viewer`: id of the user for whom the text was loaded, 0 for a visitor. */
type TextData = { document: Document; text: PlainText; part: number; viewer: number };

const loadDocumentTextPage: PageLoad<TextData> = async (api, { params: { id }, request }) => {
  const part = pageNumberOf(request);
  const document = await loadRequestedDocument(api, { id, pathOf: (id) => `/document/${id}/text` });
  const text = await api(plainTextApi.text, { id: document.id, part });
  // Thrown as an API error, which the browser retries for a logged-in user, who may read more parts than a visitor.
  if (part > Math.max(1, text.parts)) throw httpErrors.notFound();
  return { document, text, part, viewer: 0 };
};
export const loader = serverLoader(loadDocumentTextPage);
export const clientLoader = browserLoader<TextData>(async (api, args) => {
  const viewer = getSessionUser()?.id ?? 0;
  return { ...(await loadDocumentTextPage(api, args)), viewer };
});

export default function DocumentText() {
  const { document, text, part, viewer } = useLoaderData<TextData>();
  const { id, title, keywords, description, category, visibility } = document;
  const { readable, pages, parts, size, pending } = text;
  const href = `/document/${id}/text`;
  useReloadForUser(viewer);
  return (
    <main className="page-width pt-6 pb-16">
      <PageHead
        title={parts > 1 ? `${title}（文字版 ${part}/${parts}）` : `${title}（文字版）`}
        keywords={keywords}
        description={description}
        path={href}
        hidden={visibility !== 0}
      />
      <Breadcrumb path={category} currentTitle="文字版" />
      <div className="mx-auto max-w-180">
        <h1 className={`mt-4 font-serif text-28 font-bold text-balance ${latinTextClass(title)}`}>{title}</h1>
        <p className="mt-2 flex flex-wrap items-center gap-x-4 text-14 text-ink-2">
          <span>{pages > 0 ? `文字版，共 ${pages} 页` : '文字版'}</span>
          <Link
            to={`/document/${id}`}
            className="inline-flex min-h-10 items-center text-bean underline-offset-4 hover:underline"
          >
            阅读原版
          </Link>
        </p>
        {pending ? (
          <div className="mt-4">
            <Notice tone="warning">文字还在提取，请稍后再来。</Notice>
          </div>
        ) : null}
        <div className="relative">
          <PlainTextPages id={id} text={text} />
          {text.watermark === 'off' ? null : (
            <Suspense>
              <Watermark documentId={id} viewer={viewer} />
            </Suspense>
          )}
        </div>
        <div className="mt-10 empty:hidden">
          <Pagination
            page={part}
            total={readable}
            size={Math.max(1, size)}
            hrefOf={(at) => (at === 1 ? href : `${href}?page=${at}`)}
          />
        </div>
        {readable > 0 && readable < pages && part === parts ? (
          <section aria-label="其余部分" className="card mt-10 p-6 text-center">
            <p>{`以上是可以试读的 ${readable} 页，全文共 ${pages} 页。`}</p>
            <ButtonLink to={`/document/${id}`} className="mt-4">
              查看全文
            </ButtonLink>
          </section>
        ) : null}
      </div>
    </main>
  );
}

/** The server renders the text for visitors; a logged-in user may read more, so the browser loads it again. */
function useReloadForUser(loadedFor: number) {
  const viewer = useUser()?.id ?? 0;
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (viewer !== loadedFor) void revalidate();
  }, [viewer, loadedFor, revalidate]);
}
