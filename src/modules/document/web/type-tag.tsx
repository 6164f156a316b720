import { type FileType, fileTypeOfExtension } from '#platform/contract/file-type.ts';

const colors: Record<FileType, string> = {
  pdf: 'var(--type-pdf)',
  ofd: 'var(--type-pdf)',
  word: 'var(--type-word)',
  ppt: 'var(--type-ppt)',
  excel: 'var(--type-excel)',
  text: 'var(--type-text)',
  web: 'var(--type-text)',
  mail: 'var(--type-text)',
  epub: 'var(--type-ebook)',
  fb2: 'var(--type-ebook)',
  mobi: 'var(--type-ebook)',
  chm: 'var(--type-ebook)',
  umd: 'var(--type-ebook)',
  djvu: 'var(--type-ebook)',
  xps: 'var(--type-pdf)',
  comic: 'var(--type-image)',
  image: 'var(--type-image)',
  other: 'var(--type-text)',
};

export const typeColor = (extension: string) => colors[fileTypeOfExtension(extension)];

/** Shorter names that fit into the tag. */
const shortNames = new Map([
  ['MARKDOWN', 'MD'],
  ['MHTML', 'MHT'],
]);

export function TypeTag({ extension }: { extension: string }) {
  const extensionName = extension.replace('.', '').toUpperCase();
  const name = shortNames.get(extensionName) ?? extensionName;
  return (
    <span
      className="inline-grid h-6 min-w-11 shrink-0 place-items-center rounded-sm border px-1.5 text-12 font-bold"
      style={{ color: typeColor(extension), borderColor: 'currentColor' }}
    >
      {name}
    </span>
  );
}
