import { Monitor, Moon, Sun } from 'lucide-react';
import { type Theme, themes, useDevice } from '../device.ts';
import { IconButton } from './button.tsx';

const labelAndIcon: Record<Theme, { label: string; icon: typeof Sun }> = {
  system: { label: '跟随系统', icon: Monitor },
  light: { label: '浅色', icon: Sun },
  dark: { label: '深色', icon: Moon },
};

/** Button that cycles through the themes system, light and dark. */
export function ThemeSwitch({ className }: { className?: string }) {
  const theme = useDevice((device) => device.theme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const { label, icon: Icon } = labelAndIcon[theme];
  return (
    <IconButton
      label={`外观：${label}，点击切换为${labelAndIcon[next].label}`}
      className={className}
      onClick={() => useDevice.setState({ theme: next })}
    >
      <Icon aria-hidden="true" className="size-4.5" />
    </IconButton>
  );
}
