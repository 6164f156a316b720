import { redirect } from 'react-router';
import { currentUser } from '#modules/access/web/session.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { UnderConstruction } from '../under-construction.tsx';

/** Who is logged in already has no business here. */
export function clientLoader() {
  const user = currentUser();
  if (user) throw redirect(`/user/${user.id}`);
  return null;
}
export const loader = () => null;
clientLoader.hydrate = true as const;

export default function Register() {
  const open = useSettings().security.enable_register;
  return (
    <UnderConstruction title="注册账户">
      <PageHead title="用户注册" />
      {open ? '自助注册正在建设，目前请联系管理员开通账户。' : '网站暂未开放用户注册'}
    </UnderConstruction>
  );
}
