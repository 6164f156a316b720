import { expect, test } from 'vitest';
import { deferScripts } from './deferred-scripts.ts';

const page = (body: string) =>
  `<html><head><link rel="modulepreload" href="/a.js" nonce="n"/><link rel="stylesheet" href="/a.css"/></head><body>${body}<script nonce="n" type="module" async="">import "/a.js"</script>$&</body></html>`;

/** What the page has asked for once it is parsed; `picture` is what matters most in it. */
function opened(picture: { complete: boolean } | null, { isHidden = false, hash = '' } = {}) {
  const asked: Record<string, string>[] = [];
  const frames: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const heard = new Map<string, () => void>();
  const listen = (name: string, work: () => void) => heard.set(name, work);
  const [, script = ''] = /<script nonce="n">(.*?)<\/script>/s.exec(deferScripts(page(''), 'n')) ?? [];
  const known = {
    addEventListener: listen,
    location: { hash },
    requestAnimationFrame: (work: () => void) => frames.push(work),
    setTimeout: (work: () => void) => timers.push(work),
    document: {
      currentScript: { nonce: 'n' },
      hidden: isHidden,
      createElement: (name: string) => ({ name }),
      head: { append: (element: Record<string, string>) => asked.push(element) },
      querySelector: (what: string) =>
        what.startsWith('img')
          ? picture && { ...picture, addEventListener: listen }
          : { textContent: 'import "/a.js"' },
    },
  };
  new Function(...Object.keys(known), script)(...Object.values(known));
  const paint = () => {
    for (const work of frames.splice(0)) work();
  };
  heard.get('DOMContentLoaded')?.();
  return { asked, heard, timers, paint };
}

const scripts = [
  { name: 'link', rel: 'modulepreload', href: '/a.js', nonce: 'n' },
  { name: 'script', type: 'module', nonce: 'n', textContent: 'import "/a.js"' },
];

test('nothing in the page asks for scripts but what runs after it was seen', () => {
  const html = deferScripts(page('$$'), 'n');
  expect(html).not.toMatch(/<link[^>]*modulepreload|type="module"/);
  expect(html).toContain('<body>$$<script nonce="n" type="text/later">import "/a.js"</script>$&');
});

test('scripts are asked for once, after the first frame with its picture', () => {
  const { asked, heard, timers, paint } = opened({ complete: false });
  paint();
  expect(asked).toEqual([]);
  heard.get('load')?.();
  paint();
  expect(asked).toEqual([]);
  paint();
  expect(asked).toEqual(scripts);
  timers[0]?.();
  expect(asked).toEqual(scripts);
});

test('a picture that fails or takes long does not keep them', () => {
  const failed = opened({ complete: false });
  failed.heard.get('error')?.();
  failed.paint();
  failed.paint();
  expect(failed.asked).toEqual(scripts);
  const slow = opened({ complete: false });
  slow.timers[0]?.();
  expect(slow.asked).toEqual(scripts);
});

test('without a picture the first frame is enough; in the background none is waited for', () => {
  const plain = opened(null);
  plain.paint();
  plain.paint();
  expect(plain.asked).toEqual(scripts);
  expect(opened({ complete: false }, { isHidden: true }).asked).toEqual(scripts);
});

test('a link to a later page does not wait for the first', () => {
  expect(opened({ complete: false }, { hash: '#p=12' }).asked).toEqual(scripts);
});
