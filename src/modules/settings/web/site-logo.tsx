import { useSettings } from './use-settings.ts';

/** An open book in the shape of a split seed. */
export function DefaultLogo({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" className={className}>
      <path d="M11.2 6.6C9.5 4.7 7 3.7 4.2 3.7c-1.4 0-2.4 1-2.4 2.4v5.2c0 5.2 3.3 9.2 7 9.2 1 0 1.8-.2 2.4-.6Z" />
      <path d="M12.8 6.6c1.7-1.9 4.2-2.9 7-2.9 1.4 0 2.4 1 2.4 2.4v5.2c0 5.2-3.3 9.2-7 9.2-1 0-1.8-.2-2.4-.6Z" />
    </svg>
  );
}

/** The uploaded logo, else the default one, without the name of the site. */
export function SiteLogo({ logo, className = '' }: { logo: string; className?: string }) {
  if (!logo) return <DefaultLogo className={`size-10 text-bean ${className}`} />;
  return <img src={logo} alt="" className={`h-10 w-auto max-w-48 object-contain ${className}`} />;
}

/** The uploaded logo, else the default one with the name of the site. */
export function SiteLogoWithName({ inverse = false }: { inverse?: boolean }) {
  const { system } = useSettings();
  if (system.logo) {
    return <img src={system.logo} alt={system.sitename} className="h-9 w-auto max-w-44 object-contain" />;
  }
  return (
    <span className="flex items-center gap-2">
      <DefaultLogo className={`size-7 ${inverse ? '' : 'text-bean'}`} />
      <span className="max-w-44 truncate font-serif text-22 font-bold tracking-wide">{system.sitename}</span>
    </span>
  );
}
