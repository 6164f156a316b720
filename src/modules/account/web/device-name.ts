/** In this order: many browsers name the ones they descend from. */
const browsers: [RegExp, string][] = [
  [/MicroMessenger\//, '微信'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/QQBrowser\//, 'QQ 浏览器'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/HarmonyOS|OpenHarmony/, '鸿蒙'],
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];
const nameIn = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1];

/** A device in words people know; a program that is no browser shows the name it gave itself. */
export function deviceName(userAgent: string): string {
  const parts = [nameIn(browsers, userAgent), nameIn(systems, userAgent)].filter(Boolean);
  if (parts.length > 0) return parts.join(' · ');
  return userAgent.slice(0, 60) || '未知设备';
}

export const isHandheld = (userAgent: string) => /Mobile|Android|iPhone|iPad/.test(userAgent);
