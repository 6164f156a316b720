import type { PublicSettings } from '#modules/settings/settings.contract.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDate } from '#platform/contract/date-time.ts';

const FOOTER_LINKS: [keyof PublicSettings['footer'], string][] = [
  ['about', '关于我们'],
  ['help', '使用帮助'],
  ['agreement', '文库协议'],
  ['contact', '联系我们'],
  ['feedback', '意见反馈'],
  ['copyright', '免责声明'],
];

/** Returns one year, or a range from the first to the current year. */
export function copyrightYears(start: string, now: number): string {
  const first = Number(start);
  return Number.isInteger(first) && first > 0 && first < now ? `${first} - ${now}` : String(now);
}

const newTabProps = { target: '_blank', rel: 'noopener' } as const;
const link = 'quiet-link inline-flex min-h-10 items-center px-2';

function Contact() {
  const { wechat_tip, wechat_qrcode, contact_tip, contact_link } = useSettings().display;
  if (!wechat_qrcode && !contact_link) return null;
  return (
    <section aria-label="联系方式" className="page-width flex flex-wrap items-center gap-x-6 gap-y-3 pb-8 text-13">
      {wechat_qrcode ? (
        <figure className="flex items-center gap-3">
          {/* White background also in the dark theme, otherwise phones cannot read the code. */}
          <img
            src={wechat_qrcode}
            alt="微信二维码"
            width={96}
            height={96}
            loading="lazy"
            className="size-24 rounded-sm bg-white object-contain p-1"
          />
          <figcaption className="max-w-60 empty:hidden">{wechat_tip}</figcaption>
        </figure>
      ) : null}
      {contact_link ? (
        <a href={contact_link} {...newTabProps} className={link}>
          {contact_tip || '联系我们'}
        </a>
      ) : null}
    </section>
  );
}

export function Footer() {
  const { system, footer, display } = useSettings();
  const year = Number(formatDate(Date.now(), system.timezone).slice(0, 4));
  const links = FOOTER_LINKS.filter(([key]) => footer[key]);
  return (
    <footer className="border-t border-line bg-sunken text-14 text-ink-2">
      <div className="page-width flex flex-col gap-2 py-8 md:flex-row md:items-center md:justify-between">
        <p className="flex flex-wrap items-center">
          <span className="mr-1" suppressHydrationWarning>
            © {copyrightYears(system.copyright_start_year, year)}
          </span>
          {system.domain ? (
            <a href={system.domain} className={link}>
              {system.sitename}
            </a>
          ) : (
            <span className="px-2">{system.sitename}</span>
          )}
          {system.icp ? (
            <a href="https://beian.miit.gov.cn/" {...newTabProps} className={link}>
              {system.icp}
            </a>
          ) : null}
          {system.sec_icp ? (
            <a href="https://beian.mps.gov.cn/" {...newTabProps} className={link}>
              {system.sec_icp}
            </a>
          ) : null}
        </p>
        <nav aria-label="站点信息">
          <ul className="-ml-2 flex flex-wrap md:mr-[-8px] md:ml-0 md:justify-end">
            {links.map(([key, label]) => (
              <li key={key}>
                <a href={footer[key]} {...newTabProps} className={link}>
                  {label}
                </a>
              </li>
            ))}
            <li>
              <a href="/sitemap.xml" {...newTabProps} className={link}>
                站点地图
              </a>
            </li>
          </ul>
        </nav>
      </div>
      <Contact />
      {display.copyright_statement ? (
        <p className="page-width pb-8 text-13 whitespace-pre-line">{display.copyright_statement}</p>
      ) : null}
    </footer>
  );
}
