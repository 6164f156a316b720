export type Point = { x: number; y: number };
/** Corners of a rectangle of any angle: top left, top right, bottom right, bottom left as its text is read. */
export type Quad = [Point, Point, Point, Point];
/** `width` is measured along the axis that is closest to horizontal; `angle` is that of this axis, in radians. */
export type Rectangle = { center: Point; width: number; height: number; angle: number };

const cross = (origin: Point, a: Point, b: Point) =>
  (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x);

/** Andrew's monotone chain. */
function convexHull(points: readonly Point[]): Point[] {
  const sortedPoints = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  if (sortedPoints.length < 3) return sortedPoints;
  const buildChain = (path: Point[]) => {
    const chain: Point[] = [];
    for (const point of path) {
      for (;;) {
        const [a, b] = chain.slice(-2);
        if (!a || !b || cross(a, b, point) > 0) break;
        chain.pop();
      }
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...buildChain(sortedPoints), ...buildChain(sortedPoints.toReversed())];
}

/** One side of the smallest rectangle lies on an edge of the hull. */
export function minAreaRectangle(points: readonly Point[]): Rectangle {
  const hull = convexHull(points);
  let [best, bestArea] = [boundsAlong(hull, 0), Number.POSITIVE_INFINITY];
  hull.forEach((point, index) => {
    const next = hull[(index + 1) % hull.length] ?? point;
    const rectangle = boundsAlong(hull, Math.atan2(next.y - point.y, next.x - point.x));
    const area = rectangle.width * rectangle.height;
    if (area < bestArea) [best, bestArea] = [rectangle, area];
  });
  return best;
}

function boundsAlong(points: readonly Point[], direction: number): Rectangle {
  // The axis within 45 degrees of horizontal.
  const angle = direction - Math.round(direction / (Math.PI / 2)) * (Math.PI / 2);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const [along, across] = [x * cos + y * sin, y * cos - x * sin];
    left = Math.min(left, along);
    right = Math.max(right, along);
    top = Math.min(top, across);
    bottom = Math.max(bottom, across);
  }
  const [along, across] = [(left + right) / 2, (top + bottom) / 2];
  const center = { x: along * cos - across * sin, y: along * sin + across * cos };
  return { center, width: right - left, height: bottom - top, angle };
}

export function cornersOf({ center, width, height, angle }: Rectangle): Quad {
  const [cos, sin] = [Math.cos(angle) / 2, Math.sin(angle) / 2];
  const corner = (horizontal: number, vertical: number): Point => ({
    x: center.x + horizontal * width * cos - vertical * height * sin,
    y: center.y + horizontal * width * sin + vertical * height * cos,
  });
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

/** Starts the corners at another one: `quarters` is the rotation of the text in quarter circles clockwise. */
export function rotateCorners([a, b, c, d]: Quad, quarters: number): Quad {
  const rotations: Quad[] = [
    [a, b, c, d],
    [b, c, d, a],
    [c, d, a, b],
    [d, a, b, c],
  ];
  return rotations[((quarters % 4) + 4) % 4] ?? [a, b, c, d];
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
export const quadWidth = ([topLeft, topRight]: Quad): number => distance(topLeft, topRight);
export const quadHeight = ([topLeft, , , bottomLeft]: Quad): number => distance(topLeft, bottomLeft);

/** The point at a share of the width and a share of the height. */
export const pointInQuad = ([topLeft, topRight, , bottomLeft]: Quad, across: number, down: number): Point => ({
  x: topLeft.x + (topRight.x - topLeft.x) * across + (bottomLeft.x - topLeft.x) * down,
  y: topLeft.y + (topRight.y - topLeft.y) * across + (bottomLeft.y - topLeft.y) * down,
});
