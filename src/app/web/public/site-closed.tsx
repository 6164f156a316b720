import { SiteLogo } from '#modules/settings/web/site-logo.tsx';
import { buttonClass } from '#platform/web/ui/button.tsx';

/** The page of a closed site. Uses no router links, because static pages render it too. */
export function SiteClosed({
  statement,
  logo,
  loginHref,
}: {
  statement: string;
  /** URL of the uploaded logo, or empty. */
  logo: string;
  loginHref?: string;
}) {
  return (
    <main className="grid min-h-[80vh] place-items-center px-4 py-16">
      <div className="card w-full max-w-120 p-8 text-center md:p-12">
        <SiteLogo logo={logo} className="mx-auto" />
        <h1 className="mt-6 font-serif text-28 font-bold">站点暂时关闭</h1>
        <p className="mt-4 text-15 text-balance whitespace-pre-line text-ink-2">{statement}</p>
        {loginHref ? (
          <div className="mt-8 border-t border-line pt-6">
            <a href={loginHref} className={buttonClass({ variant: 'outline' })}>
              登录
            </a>
            <p className="mt-3 text-13 text-ink-2">关闭期间，管理员登录后可以照常访问</p>
          </div>
        ) : null}
      </div>
    </main>
  );
}
