import { type ComponentProps, useState } from 'react';

const DEFAULT_AVATAR = '/static/images/avatar.svg';

/** Picture of a user; the default picture when there is none or it fails to load. */
export function Avatar({
  src,
  size = 32,
  className = '',
  ...rest
}: Omit<ComponentProps<'img'>, 'size'> & { size?: number }) {
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const displayedSrc = src && src !== brokenSrc ? src : DEFAULT_AVATAR;
  return (
    <img
      alt=""
      {...rest}
      src={displayedSrc}
      width={size}
      height={size}
      onError={() => setBrokenSrc(src)}
      className={`shrink-0 rounded-full bg-bean-soft object-cover ${className}`}
    />
  );
}
