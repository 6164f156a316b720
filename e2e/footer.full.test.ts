import { afterAll, expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, errors } = site;
const adminApi = createAdminApi(site);
const readFooterLinks = async () =>
  (await visit('/category')).getByRole('contentinfo').getByRole('link').allTextContents();

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test.each([
  ['about', '关于我们'],
  ['contact', '联系我们'],
  ['feedback', '意见反馈'],
  ['copyright', '免责声明'],
])('the setting footer.%s shows the link %s when configured, and hides it when empty', async (name, label) => {
  expect(await readFooterLinks()).toContain(label);
  await adminApi.setSettings({ [`footer.${name}`]: '' });
  expect(await readFooterLinks()).not.toContain(label);
  await adminApi.setSettings({ [`footer.${name}`]: `/article/${name}` });
  const page = await visit('/category');
  const link = page.getByRole('contentinfo').getByRole('link', { name: label });
  expect(await link.getAttribute('href')).toBe(`/article/${name}`);
});

test('the footer shows the configured links, copyright years and ICP number, and omits empty settings', async () => {
  await adminApi.setSettings({ 'footer.contact': '', 'system.icp': '', 'system.copyright_start_year': '' });
  const year = String(new Date().getFullYear());
  let footer = (await visit('/category')).getByRole('contentinfo');
  const text = (await footer.textContent()) ?? '';
  expect(text).toContain(`© ${year}`);
  expect(await footer.getByRole('link').allTextContents()).toEqual([
    '关于我们',
    '使用帮助',
    '文库协议',
    '意见反馈',
    '免责声明',
    '站点地图',
  ]);
  expect(await footer.getByRole('link', { name: '站点地图' }).getAttribute('href')).toBe('/sitemap.xml');
  await adminApi.setSettings({
    'footer.contact': '/article/contact',
    'system.icp': '京ICP备12345678号',
    'system.copyright_start_year': '2020',
    'system.domain': 'https://douku.example',
  });
  footer = (await visit('/category')).getByRole('contentinfo');
  expect(await footer.textContent()).toContain(`© 2020 - ${year}`);
  await footer.getByRole('link', { name: '联系我们' }).waitFor();
  expect(await footer.getByRole('link', { name: '豆库' }).getAttribute('href')).toBe('https://douku.example');
  expect(await footer.getByRole('link', { name: '京ICP备12345678号' }).getAttribute('href')).toBe(
    'https://beian.miit.gov.cn/',
  );
});
