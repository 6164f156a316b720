const SIZE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/** Base 1024 with two decimals: 1.50 MB. */
export function formatSize(bytes: number): string {
  let size = Number.isFinite(bytes) && bytes > 0 ? bytes : 0;
  let unit = 0;
  // 1023.996 would round to 1024.00, so it belongs to the next unit.
  while (unit < SIZE_UNITS.length - 1 && Number(size.toFixed(2)) >= 1024) {
    size /= 1024;
    unit += 1;
  }
  return `${size.toFixed(2)} ${SIZE_UNITS[unit]}`;
}
