import { theme as antd, type ThemeConfig } from 'antd';
import { useEffect, useState } from 'react';

/** Reads the variables of tokens.css, because antd needs them as values. */
function readAntdTheme(): ThemeConfig {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const isDark = document.documentElement.dataset.theme === 'dark';
  const primaryColors = {
    colorPrimary: value('bean'),
    colorPrimaryHover: value('bean-strong'),
    colorPrimaryActive: value('bean-strong'),
  };
  return {
    algorithm: isDark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    token: {
      colorPrimary: value('bean'),
      colorLink: value('bean'),
      colorLinkHover: value('bean-strong'),
      colorSuccess: value('bean'),
      colorError: value('red'),
      colorWarning: value('amber'),
      colorInfo: value('blue'),
      colorSuccessBg: value('bean-soft'),
      colorSuccessBorder: value('bean-soft'),
      colorErrorBg: value('red-soft'),
      colorErrorBorder: value('red-soft'),
      colorWarningBg: value('amber-soft'),
      colorWarningBorder: value('amber-soft'),
      colorInfoBg: value('blue-soft'),
      colorInfoBorder: value('blue-soft'),
      colorText: value('ink'),
      colorTextSecondary: value('ink-2'),
      colorTextTertiary: value('ink-2'),
      colorTextDescription: value('ink-2'),
      colorTextPlaceholder: value('ink-2'),
      colorTextDisabled: value('ink-2'),
      colorBgLayout: value('paper'),
      colorBgContainer: value('surface'),
      colorBgElevated: value('surface'),
      colorBorder: value('line-strong'),
      colorBorderSecondary: value('line'),
      colorTextLightSolid: value('on-bean'),
      colorSplit: value('line'),
      controlItemBgActive: value('bean-soft'),
      controlItemBgActiveHover: value('bean-soft'),
      fontFamily: style.getPropertyValue('--font-sans'),
      borderRadius: 6,
      borderRadiusLG: 10,
      fontSize: 14,
      controlHeight: 34,
      wireframe: false,
      motion: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    },
    components: {
      Layout: { siderBg: value('surface'), headerBg: value('surface'), bodyBg: value('paper') },
      Menu: {
        subMenuItemBg: value('surface'),
        itemSelectedBg: value('bean-soft'),
        itemSelectedColor: value('bean'),
        itemBorderRadius: 6,
      },
      Table: { headerBg: value('sunken'), rowHoverBg: value('bean-soft') },
      Tooltip: { colorTextLightSolid: '#ffffff' },
      // The dark algorithm of antd would darken the primary colour of controls.
      Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', ...primaryColors },
      Switch: primaryColors,
    },
  };
}

/** Current antd theme; updates when the user switches between light and dark. */
export function useAdminTheme(): ThemeConfig {
  const [theme, setTheme] = useState(readAntdTheme);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(readAntdTheme()));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return theme;
}
