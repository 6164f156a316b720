import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

const page = (name: string) => `public/pages/${name}.tsx`;

export default [
  layout('public/shell.tsx', [
    // An error boundary between shell and page, so that a failing page keeps the top bar and the footer.
    layout('public/page-boundary.tsx', [
      index(page('home'), { id: 'home' }),
      route('login', page('login')),
      route('register', page('register')),
      route('findpassword', page('find-password')),
      route('search', page('search')),
      route('upload', page('upload')),
      route('article/:id?', page('article')),
      route('category/:id?', page('category')),
      route('document/:id?', page('document')),
      route('document/:id/text', page('document-text')),
      route('favorite/:id', page('favorite')),
      route('notification', page('notification')),
      route('redirect/:user', page('redirect')),
      route('user', page('my-home')),
      route('user/:id/:tab?', page('user')),
      route('*', page('not-found')),
    ]),
  ]),
  route('admin/*', 'admin/entry.tsx'),
] satisfies RouteConfig;
