import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { queryKeyOf } from '#platform/web/api.ts';
import { documentApi } from '../document.contract.ts';
import { useConversionProgress } from './use-conversion-progress.ts';

const Reason = () => createElement('p', null, useConversionProgress(5)?.reason ?? 'nothing');

it('useConversionProgress shows a visitor the progress cached for visitors, not the one cached for the owner', () => {
  const render = (viewer: number) => {
    const client = new QueryClient();
    const key = [...queryKeyOf(documentApi.progress, { id: [5] }), viewer];
    client.setQueryData(key, { document: [{ id: 5, reason: `for user ${viewer}` }] });
    const page = createElement(QueryClientProvider, { client }, createElement(Reason));
    return renderToStaticMarkup(page);
  };
  expect(render(0)).toBe('<p>for user 0</p>');
  expect(render(7)).toBe('<p>nothing</p>');
});
