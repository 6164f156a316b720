import { expect, test } from 'vitest';
import { deferScripts } from './deferred-scripts.ts';

const page = (body: string) =>
  `<html><head><link rel="modulepreload" href="/a.js" nonce="n"/><link rel="stylesheet" href="/a.css"/></head><body>${body}<script nonce="n" type="module" async="">import "/a.js"</script>$&</body></html>`;

/** Runs the inline script of a page until it is parsed; `picture` is the picture with high fetch priority. */
function openPage(picture: { complete: boolean } | null, { isHidden = false, hash = '' } = {}) {
  const addedElements: Record<string, string>[] = [];
  const frames: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const listeners = new Map<string, () => void>();
  const listen = (name: string, listener: () => void) => listeners.set(name, listener);
  const [, script = ''] = /<script nonce="n">(.*?)<\/script>/s.exec(deferScripts(page(''), 'n')) ?? [];
  const globals = {
    addEventListener: listen,
    location: { hash },
    requestAnimationFrame: (callback: () => void) => frames.push(callback),
    setTimeout: (callback: () => void) => timers.push(callback),
    document: {
      currentScript: { nonce: 'n' },
      hidden: isHidden,
      createElement: (name: string) => ({ name }),
      head: { append: (element: Record<string, string>) => addedElements.push(element) },
      querySelector: (selector: string) =>
        selector.startsWith('img')
          ? picture && { ...picture, addEventListener: listen }
          : { textContent: 'import "/a.js"' },
    },
  };
  new Function(...Object.keys(globals), script)(...Object.values(globals));
  const paint = () => {
    for (const callback of frames.splice(0)) callback();
  };
  listeners.get('DOMContentLoaded')?.();
  return { addedElements, listeners, timers, paint };
}

const scripts = [
  { name: 'link', rel: 'modulepreload', href: '/a.js', nonce: 'n' },
  { name: 'script', type: 'module', nonce: 'n', textContent: 'import "/a.js"' },
];

test('deferScripts removes module preloads and module scripts from the page', () => {
  const html = deferScripts(page('$$'), 'n');
  expect(html).not.toMatch(/<link[^>]*modulepreload|type="module"/);
  expect(html).toContain('<body>$$<script nonce="n" type="text/later">import "/a.js"</script>$&');
});

test('deferred scripts load once, after the first frame with the loaded picture', () => {
  const { addedElements, listeners, timers, paint } = openPage({ complete: false });
  paint();
  expect(addedElements).toEqual([]);
  listeners.get('load')?.();
  paint();
  expect(addedElements).toEqual([]);
  paint();
  expect(addedElements).toEqual(scripts);
  timers[0]?.();
  expect(addedElements).toEqual(scripts);
});

test('deferred scripts load when the picture fails or takes too long', () => {
  const failedPage = openPage({ complete: false });
  failedPage.listeners.get('error')?.();
  failedPage.paint();
  failedPage.paint();
  expect(failedPage.addedElements).toEqual(scripts);
  const slowPage = openPage({ complete: false });
  slowPage.timers[0]?.();
  expect(slowPage.addedElements).toEqual(scripts);
});

test('deferred scripts load after the first frame of a page without a picture, and immediately in a background tab', () => {
  const pageWithoutPicture = openPage(null);
  pageWithoutPicture.paint();
  pageWithoutPicture.paint();
  expect(pageWithoutPicture.addedElements).toEqual(scripts);
  expect(openPage({ complete: false }, { isHidden: true }).addedElements).toEqual(scripts);
});

test('deferred scripts load immediately when the URL has a fragment', () => {
  expect(openPage({ complete: false }, { hash: '#p=12' }).addedElements).toEqual(scripts);
});
