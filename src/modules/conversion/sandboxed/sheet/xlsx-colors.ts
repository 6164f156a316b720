import { DomUtils, ElementType } from 'htmlparser2';
import { findElementsByLocalName, type XmlNodes } from '../xml-elements.ts';

type Attributes = Record<string, string> | undefined;
export type ResolveColor = (color: Attributes) => string | undefined;

/** Theme colours are numbered in this order; ECMA-376 Part 1, 18.8.3. */
const THEME_ORDER = [
  ...(['lt1', 'dk1', 'lt2', 'dk2'] as const),
  ...(['accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6', 'hlink', 'folHlink'] as const),
];
/** The theme of Office since 2007, for workbooks without a theme part. */
const OFFICE_THEME = 'ffffff 000000 eeece1 1f497d 4f81bd c0504d 9bbb59 8064a2 4bacc6 f79646 0000ff 800080'.split(' ');

const BASE_COLORS = '000000 ffffff ff0000 00ff00 0000ff ffff00 ff00ff 00ffff'.split(' ');
/** ECMA-376 Part 1, 18.8.27; the first eight colours are listed twice. */
export const INDEXED_COLORS = [
  ...BASE_COLORS,
  ...BASE_COLORS,
  ...'800000 008000 000080 808000 800080 008080 c0c0c0 808080'.split(' '),
  ...'9999ff 993366 ffffcc ccffff 660066 ff8080 0066cc ccccff'.split(' '),
  ...'000080 ff00ff ffff00 00ffff 800080 800000 008080 0000ff'.split(' '),
  ...'00ccff ccffff ccffcc ffff99 99ccff ff99cc cc99ff ffcc99'.split(' '),
  ...'3366ff 33cccc 99cc00 ffcc00 ff9900 ff6600 666699 969696'.split(' '),
  ...'003366 339966 003300 333300 993300 993366 333399 333333'.split(' '),
];

/** Returns colours as six hexadecimal digits; undefined for automatic and invalid ones. */
export function colorResolver(theme: XmlNodes, styles: XmlNodes): ResolveColor {
  const themeColors = readThemeColors(theme);
  const palette = findElementsByLocalName(styles, 'rgbColor').map(({ attribs }) => hexDigits(attribs.rgb));
  const baseColor = (attributes: Record<string, string>) => {
    if (attributes.rgb) return hexDigits(attributes.rgb);
    if (attributes.theme) return themeColors[Number(attributes.theme)];
    const index = Number(attributes.indexed ?? Number.NaN);
    return palette[index] ?? INDEXED_COLORS[index];
  };
  return (attributes) => {
    const color = attributes && baseColor(attributes);
    const tint = Number(attributes?.tint ?? 0);
    return color && tint ? withTint(color, Math.max(-1, Math.min(1, tint))) : color;
  };
}

function readThemeColors(theme: XmlNodes): (string | undefined)[] {
  const [scheme] = findElementsByLocalName(theme, 'clrScheme');
  if (!scheme) return OFFICE_THEME;
  return THEME_ORDER.map((name, index) => {
    const [slot] = findElementsByLocalName(scheme.children, name);
    const value = slot && DomUtils.findOne(({ type }) => type === ElementType.Tag, slot.children);
    return hexDigits(value?.attribs.lastClr ?? value?.attribs.val) ?? OFFICE_THEME[index];
  });
}

/** Without the opacity, which Excel ignores. */
const hexDigits = (value: string | undefined) => value?.match(/^(?:[0-9a-f]{2})?([0-9a-f]{6})$/i)?.[1]?.toLowerCase();

/**
 * Changes the lightness (HSL) of a colour; ECMA-376 Part 1, 18.8.19. A lightness moved towards white or black moves the
 * channels in the same proportion when hue and saturation stay.
 */
function withTint(color: string, tint: number): string {
  const channels = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [low, high] = [Math.min(...channels), Math.max(...channels)];
  const lightness = (low + high) / 2;
  const tintedLightness = tint < 0 ? lightness * (1 + tint) : lightness * (1 - tint) + tint;
  const room = (value: number) => 1 - Math.abs(2 * value - 1);
  const scale = room(lightness) > 0 ? room(tintedLightness) / room(lightness) : 0;
  return channels.map((channel) => hexByte(tintedLightness + (channel - lightness) * scale)).join('');
}

const hexByte = (share: number) =>
  Math.max(0, Math.min(255, Math.round(share * 255)))
    .toString(16)
    .padStart(2, '0');
