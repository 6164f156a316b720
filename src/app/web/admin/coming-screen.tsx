import { Result } from 'antd';
import { Link } from 'react-router';
import { PageInProgress } from '#platform/web/ui/illustrations.tsx';

/** A page whose part of the product is still being built; it says so and nothing else. */
export function ComingScreen() {
  return (
    <div className="admin-card">
      <Result
        icon={<PageInProgress />}
        title="建设中"
        subTitle="这个页面的功能还没有完成，完成后会出现在这里。"
        extra={<Link to="/admin/dashboard">返回面板</Link>}
      />
    </div>
  );
}
