import { useSettings } from '#modules/settings/web/use-settings.ts';

export function Price({ price }: { price: number }) {
  const { credit_name } = useSettings().system;
  return price > 0 ? <span className="text-gold">{`${price} ${credit_name || '豆'}`}</span> : <span>免费</span>;
}
