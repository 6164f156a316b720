import { Link } from 'react-router';
import { BannerCarousel, type BannerItem } from '#modules/banner/web/banner-carousel.tsx';
import { DefaultLogo } from '#modules/settings/web/site-logo.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { SearchBox, searchWordHref } from './search-box.tsx';

export function Hero({ banners }: { banners: BannerItem[] }) {
  const { system } = useSettings();
  const hasPicture = banners.length > 0;
  return (
    <section className={`relative isolate z-10 -mt-16 pt-16 ${hasPicture ? 'text-white' : ''}`}>
      {hasPicture ? <BannerCarousel banners={banners} /> : <DefaultBackdrop />}
      <div
        className={`page-width flex flex-col items-center pt-16 text-center md:pt-20 ${hasPicture ? 'pb-24' : 'pb-16 md:pb-20'}`}
      >
        <h1 className="font-serif text-28 font-bold tracking-wide md:text-36">{system.sitename}</h1>
        {system.description ? (
          <p className={`mt-3 max-w-150 text-15 ${hasPicture ? 'text-white/90' : 'text-ink-2'}`}>
            {system.description}
          </p>
        ) : null}
        <div className="mt-8 w-full max-w-160">
          <SearchBox variant="hero" />
        </div>
        <RecommendedWords words={system.recommend_words} light={hasPicture} />
      </div>
    </section>
  );
}

function RecommendedWords({ words, light }: { words: string[]; light: boolean }) {
  if (words.length === 0) return null;
  return (
    <div className="mt-4 flex max-w-160 flex-wrap items-center justify-center text-14">
      <span className={`px-2 ${light ? 'text-white/90' : 'text-ink-2'}`}>大家在搜</span>
      {words.map((word) => (
        <Link
          key={word}
          to={searchWordHref(word)}
          rel="nofollow"
          className={`inline-flex min-h-10 items-center rounded-sm px-2 transition-colors ${
            light ? 'underline-offset-4 hover:underline focus-visible:outline-white' : 'hover:text-bean'
          }`}
        >
          {word}
        </Link>
      ))}
    </div>
  );
}

function DefaultBackdrop() {
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 -z-10 overflow-hidden bg-linear-to-b from-bean-soft to-paper mask-b-from-40%"
    >
      <DefaultLogo className="absolute -top-24 -right-24 size-110 text-bean opacity-[0.06] md:right-[4%]" />
      <DefaultLogo className="absolute -bottom-40 -left-24 size-80 -rotate-12 text-bean opacity-[0.05]" />
    </div>
  );
}
