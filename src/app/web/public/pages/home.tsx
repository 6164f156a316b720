import { useLoaderData } from 'react-router';
import { useUser } from '#modules/access/web/session.ts';
import { bannerApi } from '#modules/banner/banner.contract.ts';
import type { BannerItem } from '#modules/banner/web/banner-carousel.tsx';
import { CategoryStrip } from '#modules/category/web/category-strip.tsx';
import { friendLinkApi } from '#modules/friend-link/friend-link.contract.ts';
import { type FriendLinkItem, FriendLinks } from '#modules/friend-link/web/friend-links.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { browserLoader, type Load, serverLoader } from '#platform/web/loader.ts';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { Empty } from '#platform/web/ui/empty.tsx';
import { EmptyShelf } from '#platform/web/ui/illustrations.tsx';
import { GuestCard, MemberCard } from '../account-card.tsx';
import { Hero } from '../hero.tsx';

export type HomeData = { banners: BannerItem[]; friendLinks: FriendLinkItem[] };

const load: Load<HomeData> = async (api) => {
  const [{ banner }, { friendlink }] = await Promise.all([
    api(bannerApi.list, { enable: [true], type: [0], field: ['id', 'title', 'path', 'url'] }),
    api(friendLinkApi.list, { enable: [true], field: ['id', 'title', 'link'] }),
  ]);
  return {
    banners: banner.map(({ id, title, path, url }) => ({ id, title, path, url })),
    friendLinks: friendlink.map(({ id, title, link }) => ({ id, title, link })),
  };
};
export const loader = serverLoader(load);
export const clientLoader = browserLoader(load);

export default function Home() {
  const { banners, friendLinks } = useLoaderData<HomeData>();
  const { display } = useSettings();
  return (
    <main className="pb-16">
      <PageHead />
      <Hero banners={banners} />
      <div className="page-width mt-10 grid gap-6 md:grid-cols-[minmax(0,1fr)_260px] lg:grid-cols-[minmax(0,1fr)_300px]">
        <section aria-labelledby="newest" className="flex flex-col">
          <h2 id="newest" className="mb-4 font-serif text-22 font-bold">
            最新推荐
          </h2>
          <div className="card flex flex-1 items-center justify-center">
            <Empty
              picture={<EmptyShelf />}
              title="书架已经备好，等第一份文档"
              action={
                <>
                  <ButtonLink to="/upload">上传文档</ButtonLink>
                  <ButtonLink to="/article/help" variant="outline">
                    使用帮助
                  </ButtonLink>
                </>
              }
            >
              分享您手边的资料，让需要的人找得到、读得舒服。
            </Empty>
          </div>
        </section>
        <aside className="md:pt-[47px]">
          <AccountCard />
        </aside>
      </div>
      {display.show_index_categories ? <CategoryStrip /> : null}
      <FriendLinks links={friendLinks} />
    </main>
  );
}

function AccountCard() {
  const user = useUser();
  return user ? <MemberCard user={user} /> : <GuestCard />;
}
