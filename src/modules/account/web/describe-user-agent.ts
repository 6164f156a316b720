/** The order matters: the user agents of many browsers also name the browsers they derive from. */
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
const findName = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1];

/** Browser and system of a user agent. A program that is not a browser is shown with the start of its user agent. */
export function describeUserAgent(userAgent: string): string {
  const parts = [findName(browsers, userAgent), findName(systems, userAgent)].filter(Boolean);
  if (parts.length > 0) return parts.join(' · ');
  return userAgent.slice(0, 60) || '未知设备';
}

export const isHandheld = (userAgent: string) => /Mobile|Android|iPhone|iPad/.test(userAgent);
