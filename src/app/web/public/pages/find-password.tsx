import { PageHead } from '#modules/settings/web/page-head.tsx';
import { UnderConstruction } from '../under-construction.tsx';

export default function FindPassword() {
  return (
    <UnderConstruction title="找回密码">
      <PageHead title="找回密码" />
      邮件找回正在建设，目前请联系管理员重设密码。
    </UnderConstruction>
  );
}
