import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { AdminMenu } from './admin-menu.tsx';

function entriesFor(pages: string[]): string[] {
  const menu = createElement(AdminMenu, { path: '/admin/dashboard', pages, onNavigate: () => {} });
  const html = renderToStaticMarkup(createElement(MemoryRouter, null, menu));
  return [...html.matchAll(/href="([^"]+)"|<span class="ant-menu-title-content">([^<]+)</g)].map(
    ([, href, title]) => href ?? title ?? '',
  );
}

describe('the side menu of the back-office', () => {
  it('has only the dashboard when no page is allowed', () => {
    expect(entriesFor([])).toEqual(['/admin/dashboard']);
  });

  it.each([
    ['/admin/banner'],
    ['/admin/article'],
    ['/admin/friendlink'],
    ['/admin/comment'],
    ['/admin/report'],
    ['/admin/attachment'],
    ['/admin/config'],
  ])('has the dashboard and %s when only this page is allowed', (page) => {
    expect(entriesFor([page])).toEqual(['/admin/dashboard', page]);
  });

  it('has document management with categories, document list and recycle bin, each when its page is allowed', () => {
    const pages = ['category', 'list', 'recycle'].map((name) => `/admin/document/${name}`);
    expect(entriesFor(['/admin/document', ...pages])).toEqual(['/admin/dashboard', '文档管理', ...pages]);
    for (const page of pages)
      expect(entriesFor(['/admin/document', page])).toEqual(['/admin/dashboard', '文档管理', page]);
    expect(entriesFor(pages)).toEqual(['/admin/dashboard']);
  });

  it('has user management with users, roles and permissions, each when its page is allowed', () => {
    const pages = ['list', 'group', 'permission'].map((name) => `/admin/user/${name}`);
    expect(entriesFor(['/admin/user', ...pages])).toEqual(['/admin/dashboard', '用户管理', ...pages]);
    for (const page of pages) expect(entriesFor(['/admin/user', page])).toEqual(['/admin/dashboard', '用户管理', page]);
    expect(entriesFor(pages)).toEqual(['/admin/dashboard']);
  });
});
