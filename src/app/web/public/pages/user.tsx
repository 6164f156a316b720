import { data, type Params, useParams } from 'react-router';
import { useUser } from '#modules/access/web/session.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { UnderConstruction } from '../under-construction.tsx';

const tabs: Record<string, string> = {
  document: '文档',
  fans: '粉丝',
  favorite: '收藏',
  follow: '关注',
};

const load = ({ params: { id = '', tab } }: { params: Params }) => {
  const known = /^[1-9]\d{0,9}$/.test(id) && (tab === undefined || Object.hasOwn(tabs, tab));
  if (!known) throw data(null, { status: 404 });
  return null;
};
export const loader = load;
export const clientLoader = load;

export default function UserHome() {
  const { id, tab } = useParams();
  const own = useUser();
  const name = own && String(own.id) === id ? own.username : '';
  const title = ['个人主页', tab && tabs[tab]].filter(Boolean).join(' · ');
  return (
    <UnderConstruction title={name ? `${name}的${title}` : title}>
      <PageHead title={name ? `[个人主页]${name}` : title} hidden />
      个人主页正在建设，开放后这里会有动态、文档、收藏和关注。
    </UnderConstruction>
  );
}
