import { expect, test } from 'vitest';
import { keeperOf } from './public-site.ts';
import { startSite } from './support/site.ts';

const site = await startSite();
const keeper = keeperOf(site);
const footerLinks = async () =>
  (await site.visit('/category')).getByRole('contentinfo').getByRole('link').allTextContents();

test.each([
  ['about', '关于我们'],
  ['contact', '联系我们'],
  ['feedback', '意见反馈'],
  ['copyright', '免责声明'],
])(
  'the setting footer.%s shows the link %s when configured, and hides it when empty',
  async (name, label) => {
    expect(await footerLinks()).toContain(label);
    await keeper.set({ [`footer.${name}`]: '' });
    expect(await footerLinks()).not.toContain(label);
    await keeper.set({ [`footer.${name}`]: `/article/${name}` });
    const page = await site.visit('/category');
    const link = page.getByRole('contentinfo').getByRole('link', { name: label });
    expect(await link.getAttribute('href')).toBe(`/article/${name}`);
  },
);
