import { useLocation } from 'react-router';
import { useSettings } from './use-settings.ts';

type Head = {
  /** The page's own words; the site's name follows. Left out on the home page. */
  title?: string;
  /** What follows the title when it is not the site's name. */
  suffix?: string;
  keywords?: string;
  description?: string;
  /** Pages which say nothing to a search engine. */
  hidden?: boolean;
};

const join = (...words: (string | undefined)[]) => words.filter(Boolean).join(',');

/** Title, keywords, description and address of a page; React moves them into the head. */
export function PageHead({ title, suffix, keywords, description, hidden = false }: Head) {
  const { system } = useSettings();
  const { pathname } = useLocation();
  const site = system.sitename || system.title;
  const whole = title ? [title, suffix ?? site].filter(Boolean).join(' - ') : system.title || site;
  const about = description || system.description;
  const home = /^https?:\/\//.test(system.domain) ? system.domain.replace(/\/+$/, '') : '';
  return (
    <>
      <title>{whole}</title>
      <meta name="keywords" content={join(keywords ?? title, site, system.keywords)} />
      <meta name="description" content={about} />
      <meta property="og:title" content={whole} />
      <meta property="og:description" content={about} />
      <meta property="og:site_name" content={site} />
      <meta property="og:type" content="website" />
      {hidden ? <meta name="robots" content="noindex" /> : null}
      {home && !hidden ? <link rel="canonical" href={home + pathname} /> : null}
    </>
  );
}
