import { groupExtensions } from '#platform/contract/extension-groups.ts';

/** Lists the extensions that the site accepts, by group. */
export function AcceptedFormats({ extensions, maxMegabytes }: { extensions: readonly string[]; maxMegabytes: number }) {
  const groups = groupExtensions(extensions);
  return (
    <details className="text-13 text-ink-2">
      <summary className="cursor-pointer">
        {`支持${groups.map(({ name }) => name).join('、')}，每个文件最大 ${maxMegabytes} MB`}
      </summary>
      <dl className="mt-3 grid gap-x-4 gap-y-1.5 md:grid-cols-[auto_minmax(0,1fr)]">
        {groups.map(({ name, extensions: members }) => (
          <div key={name} className="contents">
            <dt className="font-medium text-ink">{name}</dt>
            <dd className="mb-1.5 break-words md:mb-0">{members.map((extension) => extension.slice(1)).join('、')}</dd>
          </div>
        ))}
        <dt className="font-medium text-ink">压缩包</dt>
        <dd>zip、rar、7z，解开后选择其中的文档</dd>
      </dl>
    </details>
  );
}
