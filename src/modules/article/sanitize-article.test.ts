import { describe, expect, it } from 'vitest';
import { processCpuMs } from '#testing/processor-time.ts';
import { pictureUrlsOf, sanitizeArticle } from './sanitize-article.ts';

const picture = `/uploads/article/ab/ab${'0'.repeat(62)}.webp`;

describe('sanitizeArticle', () => {
  it('leaves text formatting, tables, pictures and links unchanged', () => {
    const text = [
      '<h1>题</h1><h2 style="text-align:center">节</h2><p>段<br />落</p><hr />',
      '<ul><li>一</li></ul><ol start="3"><li>三</li></ol><blockquote><p>引</p></blockquote>',
      '<pre><code>x &lt; y</code></pre>',
      '<p><strong>粗</strong><em>斜</em><u>线</u><s>删</s><sub>下</sub><sup>上</sup></p>',
      '<table><thead><tr><th colspan="2">头</th></tr></thead><tbody><tr><td rowspan="2">格</td></tr></tbody></table>',
      `<figure><img src="${picture}" alt="图" width="40" height="30" /><figcaption>说明</figcaption></figure>`,
      '<p><a href="/article/help">内</a><a href="mailto:a@b.example">信</a><a href="#top">顶</a></p>',
    ].join('');
    expect(sanitizeArticle(text)).toBe(text);
  });

  it('adds target and rel to external links only', () => {
    expect(sanitizeArticle('<a href="https://e.example/x" rel="opener" target="_self">e</a>')).toBe(
      '<a href="https://e.example/x" target="_blank" rel="noopener noreferrer">e</a>',
    );
    expect(sanitizeArticle('<a href="/x" target="_blank">e</a>')).toBe('<a href="/x">e</a>');
  });

  it('removes all styles but text-align', () => {
    expect(sanitizeArticle('<p style="text-align: right; position: fixed; background: url(//e)">x</p>')).toBe(
      '<p style="text-align:right">x</p>',
    );
    expect(sanitizeArticle('<p style="color:red" class="a" id="b" data-x="1">x</p>')).toBe('<p>x</p>');
  });

  it('leaves uploaded pictures, which pictureUrlsOf returns', () => {
    const text = sanitizeArticle(`<p>a</p><img alt="a" src="${picture}"><img src="/x.png">`);
    expect(pictureUrlsOf(text)).toEqual([picture]);
  });

  it('returns sanitized HTML unchanged', () => {
    const sanitizedHtml = sanitizeArticle('<p>a & b &lt;i&gt; "c"</p><a href="https://e.example/?a=1&b=2">x</a>');
    expect(sanitizeArticle(sanitizedHtml)).toBe(sanitizedHtml);
  });
});

describe('sanitizeArticle removes active content', () => {
  it.each([
    '<script>alert(1)</script>',
    '<SCRIPT SRC=//e.example/x.js></SCRIPT>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror=alert(1)>',
    `<img src="${picture}" onload="alert(1)">`,
    '<img src="javascript:alert(1)">',
    '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
    '<img src="https://e.example/a.png">',
    '<img src="//e.example/a.png">',
    '<img src="/uploads/article/x.svg">',
    '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
    '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
    '<math href="javascript:alert(1)">x</math>',
    '<iframe src="https://e.example"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="javascript:alert(1)"></object>',
    '<embed src="javascript:alert(1)">',
    '<form action="https://e.example"><input name="p"><button formaction="javascript:alert(1)">x</button></form>',
    '<base href="https://e.example/">',
    '<meta http-equiv="refresh" content="0;url=https://e.example">',
    '<link rel="stylesheet" href="https://e.example/a.css">',
    '<style>*{background:url(https://e.example)}</style>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href=" &#14; javascript:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href="java&#x09;script:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="vbscript:x">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="//e.example">x</a>',
    '<a href="/\\e.example">x</a>',
    '<a href="\\\\e.example">x</a>',
    '<a href="/\t/e.example">x</a>',
    '<a href="https:e.example">x</a>',
    '<a href="x" onclick="alert(1)">x</a>',
    '<p onmouseover="alert(1)">x</p>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<p style="text-align:expression(alert(1))">x</p>',
    '<details open ontoggle=alert(1)>x</details>',
    '<video><source onerror="alert(1)"></video>',
    '<audio src=x onerror=alert(1)>',
    '<body onload=alert(1)>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
    '<template><script>alert(1)</script></template>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<p title="&quot;><img src=x onerror=alert(1)>">x</p>',
    '<marquee onstart=alert(1)>x</marquee>',
    '<isindex action=javascript:alert(1) type=image>',
    '<table background="javascript:alert(1)"><td background="javascript:alert(1)">x</td></table>',
  ])('%s', (payload) => {
    const text = sanitizeArticle(`<p>前</p>${payload}<p>后</p>`);
    const tags = text.match(/<[^>]*>/g)?.join('') ?? '';
    expect(tags).not.toMatch(
      /<\/?(script|svg|math|iframe|object|embed|form|input|base|meta|link|style|template|video|audio|body|textarea|details)\b/i,
    );
    expect(tags).not.toMatch(/\son\w+\s*=/i);
    expect(tags).not.toMatch(/javascript:|vbscript:|data:|expression|url\(|e\.example/i);
    expect(text).toContain('前');
  });
});

it('sanitizeArticle limits deep nesting within two seconds of processor time', () => {
  const nestedHtml = `${'<blockquote>'.repeat(20_000)}x${'</blockquote>'.repeat(20_000)}`;
  const startedAt = processCpuMs();
  expect(sanitizeArticle(nestedHtml).length).toBeLessThan(5000);
  expect(processCpuMs() - startedAt).toBeLessThan(2000);
});
