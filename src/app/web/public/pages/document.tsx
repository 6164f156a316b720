import { useState } from 'react';
import { useLoaderData, useRevalidator, useSearchParams } from 'react-router';
import { commentApi } from '#modules/comment/comment.contract.ts';
import { CommentsSection, type FirstComment } from '#modules/comment/web/comments-section.tsx';
import type { documentApi } from '#modules/document/document.contract.ts';
import { type Author, AuthorCard } from '#modules/document/web/author-card.tsx';
import { DocumentHead } from '#modules/document/web/document-head.tsx';
import { loadRequestedDocument } from '#modules/document/web/load-requested-document.ts';
import { buildStructuredData } from '#modules/document/web/structured-data.ts';
import { useCountView } from '#modules/document/web/use-count-view.ts';
import { FavoriteButton } from '#modules/favorite/web/favorite-button.tsx';
import { FollowButton } from '#modules/follow/web/follow-button.tsx';
import { RatingPanel } from '#modules/rating/web/rating-panel.tsx';
import { readingApi } from '#modules/reading/reading.contract.ts';
import { DocumentReader } from '#modules/reading/web/document-reader.tsx';
import { pageBatchSize } from '#modules/reading/web/page-batch-size.ts';
import type { ReaderLayout, Reading } from '#modules/reading/web/reader-store.ts';
import { relatedApi } from '#modules/related/related.contract.ts';
import { RelatedDocuments, type RelatedResult } from '#modules/related/web/related-documents.tsx';
import { ReportButton } from '#modules/report/web/report-button.tsx';
import { settingsApi } from '#modules/settings/settings.contract.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { browserLoader, type PageLoad, pageNumberOf, serverLoader } from '#platform/web/page-loader.ts';
import { TextWithLatinQuotes } from '#platform/web/ui/text-with-latin-quotes.tsx';
import { DocumentStateWithRepair } from '../document-state-with-repair.tsx';

type DocumentData = {
  document: OutputOf<typeof documentApi.get>;
  layout: ReaderLayout;
  first: Reading;
  related: RelatedResult;
  comments?: FirstComment[];
};

const loadDocumentPage: PageLoad<DocumentData> = async (api, { params: { id }, request }) => {
  const [document, settings] = await Promise.all([
    loadRequestedDocument(api, { id, pathOf: (id) => `/document/${id}` }),
    api(settingsApi.settings, {}),
  ]);
  const size = pageBatchSize(settings);
  const page = Math.floor((pageNumberOf(request) - 1) / size) * size + 1;
  const [layout, first, relatedDocuments] = await Promise.all([
    api(readingApi.layout, { id: document.id }),
    api(readingApi.pages, { id: document.id, page, size }),
    api(relatedApi.list, { id: document.id }),
  ]);
  return { document, layout, first, related: relatedDocuments };
};

/** Includes the first comments, so that the page is complete without scripts; the browser fetches them itself. */
const loadDocumentPageWithComments: PageLoad<DocumentData> = async (api, args) => {
  const documentPageData = await loadDocumentPage(api, args);
  const { id, comment_count } = documentPageData.document;
  if (comment_count === 0) return documentPageData;
  const input = { document_id: id, parent_id: [0], page: 1, size: 10, order: 'id desc' };
  const { comment } = await api(commentApi.list, input);
  const comments = comment.map(
    ({ id, user, content, created_at }): FirstComment => ({
      id,
      content,
      created_at,
      user: { id: user.id, username: user.username },
    }),
  );
  return { ...documentPageData, comments: comments.filter(({ content }) => content !== '') };
};
export const loader = serverLoader(loadDocumentPageWithComments);
export const clientLoader = browserLoader(loadDocumentPage);

export default function DocumentPage() {
  const { document, layout, first, related, comments } = useLoaderData<DocumentData>();
  useCountView(document.id);
  const { revalidate } = useRevalidator();
  const [search] = useSearchParams();
  const { display } = useSettings();
  const isEmbedded = search.get('embed') === '1';
  const { title, keywords, description } = document;
  return (
    <main>
      <PageHead
        title={title}
        keywords={keywords}
        description={description}
        path={`/document/${document.id}`}
        image={document.cover}
        kind="article"
        data={(absolute) => buildStructuredData(document, absolute)}
        hidden={document.visibility !== 0 || isEmbedded}
      />
      {isEmbedded ? null : (
        <div className="reader-around page-width pt-3 pb-5">
          <DocumentHead document={document} onChange={revalidate}>
            <FavoriteButton key={document.id} document={document} />
          </DocumentHead>
          <div className="mt-4 empty:hidden">
            <DocumentStateWithRepair document={document} />
          </div>
        </div>
      )}
      <DocumentReader key={document.id} document={document} layout={layout} first={first} isEmbedded={isEmbedded} />
      {isEmbedded ? null : (
        <div className="reader-around page-width grid items-start gap-6 pt-10 pb-24 md:grid-cols-[minmax(0,1fr)_300px]">
          <div className="grid min-w-0 gap-6">
            {description && display.show_document_descriptions ? (
              <section className="card p-5 md:p-6">
                <h2 className="font-medium">文档简介</h2>
                <p className={`mt-2 text-15 text-ink-2 ${latinTextClass(description)}`}>
                  <TextWithLatinQuotes text={description} />
                </p>
              </section>
            ) : null}
            <RatingPanel key={document.id} document={document} />
            <CommentsSection key={`comments-${document.id}`} document={document} first={comments} />
          </div>
          <aside className="grid gap-6">
            {document.user ? <AuthorWithFollowButton key={document.user.id} author={document.user} /> : null}
            <RelatedDocuments id={document.id} rendered={related} />
            <div className="empty:hidden">
              <ReportButton document={document} />
            </div>
          </aside>
        </div>
      )}
    </main>
  );
}

function AuthorWithFollowButton({ author }: { author: Author }) {
  const [newFans, setNewFans] = useState(0);
  return (
    <AuthorCard author={{ ...author, fans_count: author.fans_count + newFans }}>
      <FollowButton
        userId={author.id}
        username={author.username}
        className="w-full"
        onChange={(step) => setNewFans(newFans + step)}
      />
    </AuthorCard>
  );
}
