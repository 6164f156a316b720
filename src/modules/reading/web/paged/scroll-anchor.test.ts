import { describe, expect, test } from 'vitest';
import { anchorAt, anchorAtReadingLine, anchorForPosition, anchorForZoom, scrollToAnchor } from './scroll-anchor.ts';
import { makeGeometry, pageTop } from './viewport-geometry.fixture.ts';

const COVERED_PX = 100;

describe('anchorAt', () => {
  test('returns the point of the document at a point of the window', () => {
    const geometry = makeGeometry({ top: -pageTop(4) });
    expect(anchorAt(geometry, 1000, 250)).toEqual({ page: 4, offset: 0.25, across: 0.5, clientX: 1000, clientY: 250 });
  });

  test('returns null above and below the pages', () => {
    expect(anchorAt(makeGeometry({ top: 300 }), 600, 299)).toBeNull();
    expect(anchorAt(makeGeometry({ height: 500 }), 600, 501)).toBeNull();
  });
});

describe('scrollToAnchor', () => {
  const before = makeGeometry({ top: -pageTop(4) });
  const anchor = anchorAtReadingLine(before);
  if (!anchor) throw new Error('the reading line is outside the pages');

  test('does not scroll while nothing changes', () => {
    expect(scrollToAnchor(before, anchor)).toEqual({ windowBy: 0, viewportLeft: 0 });
  });

  test('scrolls by the growth of the pages above the anchor after zooming in', () => {
    const geometryAfterZoom = { ...before, pageWidth: 1600, scrollWidth: 1600, height: 20 * 2016 + 16 };
    const { windowBy, viewportLeft } = scrollToAnchor(geometryAfterZoom, anchor);
    // Three pages above and 40 percent of the fourth page grow by 1000 pixels each.
    expect(windowBy).toBeCloseTo(3_400, 6);
    // The column center stays in the center of the viewport.
    expect(viewportLeft).toBe(300);
  });

  test('shows the last page if the anchor is on a page that is not readable any more', () => {
    expect(scrollToAnchor(before, { ...anchor, page: 99 }).windowBy).toBe(
      scrollToAnchor(before, { ...anchor, page: 20 }).windowBy,
    );
  });
});

describe('anchorForPosition', () => {
  test('places the top of a page below the bars', () => {
    const anchor = anchorForPosition(makeGeometry(), { page: 9, offset: 0 }, COVERED_PX);
    expect(anchor).toMatchObject({ page: 9, offset: 0, clientY: COVERED_PX + 8 });
  });

  test('places a low page so that its end is at the reading line', () => {
    const anchor = anchorForPosition(makeGeometry({ pageWidth: 160 }), { page: 9, offset: 0 }, COVERED_PX);
    expect(anchor?.clientY).toBe(400 - 200);
  });

  test('places an offset inside a page at the reading line', () => {
    expect(anchorForPosition(makeGeometry(), { page: 9, offset: 0.3 }, COVERED_PX)?.clientY).toBe(400);
  });

  test('returns null for the end of a page if that end is visible already', () => {
    const end = { page: 20, offset: 1 };
    expect(anchorForPosition(makeGeometry({ top: 900 - (pageTop(20) + 1000) }), end, COVERED_PX)).toBeNull();
    expect(anchorForPosition(makeGeometry({ top: 90 - (pageTop(20) + 1000) }), end, COVERED_PX)).not.toBeNull();
    expect(anchorForPosition(makeGeometry(), end, COVERED_PX)).not.toBeNull();
  });
});

describe('anchorForZoom', () => {
  const geometry = makeGeometry({ top: -pageTop(4) });
  const options = { page: 4, coveredPx: COVERED_PX };

  test('keeps the point of a gesture', () => {
    const point = { clientX: 600, clientY: 250 };
    expect(anchorForZoom(geometry, 200, { ...options, point })).toMatchObject({ page: 4, offset: 0.25, ...point });
  });

  test('keeps the center of the window without a gesture', () => {
    expect(anchorForZoom(geometry, 200, options)).toMatchObject({ page: 4, offset: 0.5, clientX: 600, clientY: 500 });
  });

  test('keeps the end of pages that end above the center of the window', () => {
    expect(anchorForZoom(makeGeometry({ height: 301 }), 200, options)).toMatchObject({ clientY: 300 });
  });

  test('shows the whole current page from its top', () => {
    expect(anchorForZoom(geometry, 'page', options)).toEqual({
      page: 4,
      offset: 0,
      across: 0,
      clientX: 600,
      clientY: COVERED_PX + 12,
    });
  });
});
