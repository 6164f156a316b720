import { Upload } from 'lucide-react';
import { Link, useLoaderData } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { bannerApi } from '#modules/banner/banner.contract.ts';
import type { BannerItem } from '#modules/banner/web/banner-carousel.tsx';
import { CategoryCards } from '#modules/category/web/category-cards.tsx';
import { documentApi, documentStatus } from '#modules/document/document.contract.ts';
import type { CardDocument } from '#modules/document/web/document-card.tsx';
import { DocumentList } from '#modules/document/web/document-list.tsx';
import { DocumentTitles } from '#modules/document/web/document-titles.tsx';
import { type HomeSection, HomeSections } from '#modules/document/web/home-sections.tsx';
import { friendLinkApi } from '#modules/friend-link/friend-link.contract.ts';
import { type FriendLinkItem, FriendLinks } from '#modules/friend-link/web/friend-links.tsx';
import { ContinueReading } from '#modules/reading/web/continue-reading.tsx';
import { PageHead, type ToAbsoluteUrl } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { type Sharer, statisticsApi } from '#modules/statistics/statistics.contract.ts';
import { StatsCard, type StatsCounts } from '#modules/statistics/web/stats-card.tsx';
import { TopSharers } from '#modules/statistics/web/top-sharers.tsx';
import { browserLoader, type PageLoad, serverLoader } from '#platform/web/page-loader.ts';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { GuestCard, MemberCard } from '../account-card.tsx';
import { Hero } from '../hero.tsx';

export type HomeData = {
  banners: BannerItem[];
  friendLinks: FriendLinkItem[];
  recommended: CardDocument[];
  newest: CardDocument[];
  categorySections: HomeSection[];
  stats: StatsCounts;
  sharers: Sharer[];
};

const CARD_FIELDS = ['id', 'title', 'ext', 'cover', 'width', 'height', 'pages', 'price', 'twins'];
/** Two rows of six. Recommended documents first, then the newest. */
const RECOMMENDED_QUERY = {
  status: [documentStatus.converted],
  order: 'recommend_at desc',
  limit: 12,
  collapse_twins: true,
  field: [...CARD_FIELDS, 'recommend_at'],
};
const ROW_SIZE = 6;
const NEWEST = {
  status: [documentStatus.converted],
  order: 'created_at desc',
  limit: ROW_SIZE,
  collapse_twins: true,
  field: CARD_FIELDS,
};
const toCard = ({ id, title, ext, cover, width, height, pages, price, twins }: CardDocument): CardDocument => ({
  id,
  title,
  ext,
  cover,
  width,
  height,
  pages,
  price,
  twins,
});
const CATEGORY_DOCUMENT_COUNT = 5;

const loadHomePage: PageLoad<HomeData> = async (api) => {
  const [
    { banner },
    { friendlink },
    { document: recommendedOrNewest },
    { document: newest },
    { document: sections },
    stats,
    share,
  ] = await Promise.all([
    api(bannerApi.list, { enable: [true], type: [0], field: ['id', 'title', 'path', 'url'] }),
    api(friendLinkApi.list, { enable: [true], field: ['id', 'title', 'link'] }),
    api(documentApi.list, RECOMMENDED_QUERY),
    api(documentApi.list, NEWEST),
    api(documentApi.home, { limit: CATEGORY_DOCUMENT_COUNT, collapse_twins: true }),
    api(statisticsApi.stats, {}),
    api(statisticsApi.sharers, {}),
  ]);
  const recommendedDocuments = recommendedOrNewest.filter(({ recommend_at }) => recommend_at);
  return {
    banners: banner.map(({ id, title, path, url }) => ({ id, title, path, url })),
    friendLinks: friendlink.map(({ id, title, link }) => ({ id, title, link })),
    // With few recommended documents, the list is filled with the newest, so they are not shown again.
    ...(recommendedDocuments.length < ROW_SIZE
      ? { recommended: recommendedOrNewest.map(toCard), newest: [] }
      : { recommended: recommendedDocuments.map(toCard), newest: newest.map(toCard) }),
    categorySections: sections.map((section) => ({ ...section, document: section.document.map(toCard) })),
    stats: { document_count: stats.document_count, user_count: stats.user_count },
    sharers: share.user,
  };
};
export const loader = serverLoader(loadHomePage);
export const clientLoader = browserLoader(loadHomePage);

export default function Home() {
  const { banners, friendLinks, recommended, newest, categorySections, stats, sharers } = useLoaderData<HomeData>();
  const { display, system } = useSettings();
  const categories = (
    <>
      {display.show_index_categories ? <CategoryCards /> : null}
      <HomeSections sections={categorySections} />
    </>
  );
  const showsCategoriesFirst = display.home_version === 'v2';
  return (
    <main className="pb-16">
      <PageHead feed="" data={(absolute) => [siteStructuredData(system.sitename, absolute)]} />
      <Hero banners={banners} />
      <ContinueReading className="page-width mt-10" />
      {showsCategoriesFirst ? categories : null}
      <div className="page-width mt-10 grid gap-6 md:grid-cols-[minmax(0,1fr)_260px] lg:grid-cols-[minmax(0,1fr)_300px] lg:gap-8">
        <section aria-labelledby="recommended" className="flex flex-col">
          <h2 id="recommended" className="mb-4 font-serif text-22 font-bold">
            最新推荐
          </h2>
          {recommended.length > 0 ? (
            <HomeDocuments
              label="最新推荐"
              documents={recommended}
              columns="grid-cols-3 lg:grid-cols-6 max-lg:[&>:nth-child(n+7)]:hidden"
            />
          ) : (
            <EmptyLibrary />
          )}
        </section>
        <aside className="flex flex-col gap-4 md:pt-[47px]">
          <StatsCard stats={stats} />
          <ButtonLink to="/upload" size="lg" className="w-full">
            <Upload aria-hidden="true" className="size-4.5" />
            上传文档
          </ButtonLink>
          <div className="flex-1">
            <AccountCard />
          </div>
        </aside>
      </div>
      <NewestDocuments documents={newest} />
      {showsCategoriesFirst ? null : categories}
      <TopSharers sharers={sharers} />
      <FriendLinks links={friendLinks} />
    </main>
  );
}

const siteStructuredData = (name: string, absolute: ToAbsoluteUrl): object => ({
  '@type': 'WebSite',
  name,
  url: absolute('/'),
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: absolute('/search?wd={search_term_string}') },
    'query-input': 'required name=search_term_string',
  },
});

function NewestDocuments({ documents }: { documents: CardDocument[] }) {
  if (documents.length === 0) return null;
  return (
    <section aria-labelledby="latest" className="page-width mt-12">
      <div className="mb-4 flex items-baseline justify-between">
        <h2 id="latest" className="font-serif text-22 font-bold">
          最新文档
        </h2>
        <Link to="/category" aria-label="更多最新文档" className="quiet-link py-1 text-14">
          更多
        </Link>
      </div>
      <HomeDocuments label="最新文档" documents={documents} columns="grid-cols-3 md:grid-cols-6" />
    </section>
  );
}

function HomeDocuments({ columns, ...list }: { label: string; documents: CardDocument[]; columns: string }) {
  const { index_document_style } = useSettings().display;
  return index_document_style === 'list' ? (
    <DocumentTitles {...list} />
  ) : (
    <DocumentList density="cover" columns={columns} {...list} />
  );
}

function EmptyLibrary() {
  return (
    <div className="card flex flex-1 items-center justify-center">
      <EmptyState
        picture={<EmptyShelfIllustration />}
        title="书架已经备好，等第一份文档"
        action={
          <ButtonLink to="/article/help" variant="outline">
            使用帮助
          </ButtonLink>
        }
      >
        分享您手边的资料，让需要的人找得到、读得舒服。
      </EmptyState>
    </div>
  );
}

function AccountCard() {
  const user = useUser();
  return user ? <MemberCard user={user} /> : <GuestCard />;
}
