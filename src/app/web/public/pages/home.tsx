import { useRouteLoaderData } from 'react-router';
import type { loader as rootLoader } from '../../root.tsx';

export default function Home() {
  const root = useRouteLoaderData<typeof rootLoader>('root');
  return (
    <main>
      <title>{root?.settings.system.title}</title>
      <h1>{root?.settings.system.sitename}</h1>
    </main>
  );
}
