import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { UnderConstruction } from '../under-construction.tsx';

export default function Upload() {
  const { system } = useSettings();
  return (
    <UnderConstruction title="上传文档">
      <PageHead title="上传文档" suffix={system.title || system.sitename} />
      上传功能正在建设，开放后您可以在这里分享文档。
    </UnderConstruction>
  );
}
