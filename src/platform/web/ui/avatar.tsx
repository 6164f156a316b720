import { type ComponentProps, useState } from 'react';

const DEFAULT_AVATAR = '/static/images/avatar.svg';

/** A person's picture; ours when there is none or it cannot be loaded. */
export function Avatar({
  src,
  size = 32,
  className = '',
  ...rest
}: Omit<ComponentProps<'img'>, 'size'> & { size?: number }) {
  const [broken, setBroken] = useState<string>();
  const shown = src && src !== broken ? src : DEFAULT_AVATAR;
  return (
    <img
      alt=""
      {...rest}
      src={shown}
      width={size}
      height={size}
      onError={() => setBroken(src)}
      className={`shrink-0 rounded-full bg-bean-soft object-cover ${className}`}
    />
  );
}
