import { ArrowUpRight, ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Banner } from '../banner.contract.ts';

export type BannerItem = Pick<Banner, 'id' | 'title' | 'path' | 'url'>;

const SLIDE_MS = 6000;
const control =
  'grid size-10 place-items-center rounded-md text-white/90 transition-colors hover:bg-white/15 hover:text-white focus-visible:outline-white';

/** Pictures behind the search box of the home page. They advance unless paused, hovered, or reduced motion is set. */
export function BannerCarousel({ banners }: { banners: BannerItem[] }) {
  const [at, setAt] = useState(0);
  const [loadedCount, setLoadedCount] = useState(1);
  const [isPaused, setIsPaused] = useState(false);
  const [isHovered, setIsHovered] = useState(false);
  const hasSeveral = banners.length > 1;

  const show = (next: number) => {
    const index = (next + banners.length) % banners.length;
    setAt(index);
    // The next picture is loaded in advance.
    setLoadedCount((before) => Math.max(before, Math.min(index + 2, banners.length)));
  };

  useEffect(() => {
    if (!hasSeveral) return;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) setIsPaused(true);
    setLoadedCount((before) => Math.max(before, 2));
  }, [hasSeveral]);

  useEffect(() => {
    if (!hasSeveral || isPaused || isHovered) return;
    const timer = setTimeout(show, SLIDE_MS, at + 1);
    return () => clearTimeout(timer);
  });

  const onArrowKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') show(at - 1);
    if (event.key === 'ArrowRight') show(at + 1);
  };
  const current = banners[at];
  if (!current) return null;
  return (
    <section aria-roledescription="轮播" aria-label="横幅" className="contents">
      <div className="absolute inset-0 -z-10 bg-[#17261e]">
        {banners.slice(0, loadedCount).map((banner, index) => (
          <img
            key={banner.id}
            src={banner.path}
            alt=""
            fetchPriority={index === 0 ? 'high' : 'low'}
            className={`absolute inset-0 size-full object-cover transition-opacity duration-500 ${
              index === at ? 'opacity-100' : 'opacity-0'
            }`}
          />
        ))}
        {/* Dark enough for a contrast of 4.5:1 between white text and a white picture. */}
        <div className="absolute inset-0 bg-linear-to-b from-[#0d1510]/80 via-[#0d1510]/65 to-[#0d1510]/80" />
      </div>
      <fieldset
        aria-label="轮播控制"
        className="page-width absolute inset-x-0 bottom-3 flex min-w-0 items-center justify-between gap-4 text-white"
        onKeyDown={onArrowKey}
        onPointerEnter={() => setIsHovered(true)}
        onPointerLeave={() => setIsHovered(false)}
        // A tapped button also has focus, but only keyboard focus pauses the carousel.
        onFocus={({ target }) => setIsHovered(target.matches(':focus-visible'))}
        onBlur={() => setIsHovered(false)}
      >
        <p aria-live={isPaused ? 'polite' : 'off'} className="min-w-0 truncate text-14 text-white/90">
          <BannerTitle banner={current} />
        </p>
        {hasSeveral ? (
          <CarouselButtons
            position={`${at + 1} / ${banners.length}`}
            isPaused={isPaused}
            onStep={(by) => show(at + by)}
            onPause={() => setIsPaused(!isPaused)}
          />
        ) : null}
      </fieldset>
    </section>
  );
}

function BannerTitle({ banner: { title, url } }: { banner: BannerItem }) {
  if (!url) return title;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-10 max-w-full items-center gap-1 rounded-sm hover:text-white focus-visible:outline-white"
    >
      <span className="truncate">{title || '查看详情'}</span>
      <ArrowUpRight aria-hidden="true" className="size-4 shrink-0" />
    </a>
  );
}

type ButtonsProps = { position: string; isPaused: boolean; onStep: (by: 1 | -1) => void; onPause: () => void };

function CarouselButtons({ position, isPaused, onStep, onPause }: ButtonsProps) {
  const PauseIcon = isPaused ? Play : Pause;
  return (
    <div className="flex shrink-0 items-center">
      <button type="button" aria-label="上一张" className={control} onClick={() => onStep(-1)}>
        <ChevronLeft aria-hidden="true" className="size-5" />
      </button>
      <span className="min-w-10 text-center text-13 text-white/90">{position}</span>
      <button type="button" aria-label="下一张" className={control} onClick={() => onStep(1)}>
        <ChevronRight aria-hidden="true" className="size-5" />
      </button>
      <button type="button" aria-label={isPaused ? '开始轮播' : '暂停轮播'} className={control} onClick={onPause}>
        <PauseIcon aria-hidden="true" className="size-4.5" />
      </button>
    </div>
  );
}
