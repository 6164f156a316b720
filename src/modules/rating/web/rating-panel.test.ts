import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { RatingPanel } from './rating-panel.tsx';

const panelOf = (score: number, score_count: number) => {
  const document = { id: 7, user_id: 3, score, score_count };
  const panel = createElement(RatingPanel, { document });
  return renderToStaticMarkup(createElement(MemoryRouter, null, panel));
};

it('the rating panel shows no average before the first rating', () => {
  expect(panelOf(0, 0)).toContain('还没有人评分');
  expect(panelOf(0, 0)).not.toMatch(/\d\.\d|人评分<\/span>/);
});

it('the rating panel shows the average and the number of ratings', () => {
  expect(panelOf(350, 2)).toContain('3.5');
  expect(panelOf(350, 2)).toContain('2 人评分');
});
