import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { searchApi } from '#modules/search/search.contract.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { SearchBox } from './search-box.tsx';

const noWords = replyTo(searchApi.hot, { recommend: [], hot: [] });
const noSuggestions = replyTo(searchApi.suggest, { suggestion: [] });
const box = () => screen.getByRole<HTMLInputElement>('combobox');
const searchAddress = (word: string) => `/search?wd=${encodeURIComponent(word)}`;
const activeOption = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent;

it('the search box opens the results by Enter or icon and clears itself, and ignores an empty term', async () => {
  const { userInput, fill, address } = renderPage(<SearchBox />, {
    path: '/category',
    replies: [noWords, noSuggestions],
  });
  expect(box().placeholder).toBe('搜索文档...');
  await userInput.type(box(), '   {Enter}');
  expect(address()).toBe('/category');
  await fill(box(), '年终 总结');
  await userInput.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe(searchAddress('年终 总结')));
  expect(box().value).toBe('');
  // user-event still remembers the text that the reset of the form cleared.
  await fill(box(), '合同');
  await userInput.click(screen.getByRole('button', { name: '搜索' }));
  await waitFor(() => expect(address()).toBe(searchAddress('合同')));
  expect(box().value).toBe('');
});

it('the arrow keys move through all suggestions and back to the search box, and Enter opens the active one', async () => {
  const { userInput, address, api } = renderPage(<SearchBox />, {
    replies: [
      noWords,
      replyTo(searchApi.suggest, {
        suggestion: [
          { type: 'word', text: '数据', marks: [[0, 2]], document_id: 0 },
          { type: 'title', text: '数据结构讲义', marks: [[0, 2]], document_id: 12 },
        ],
      }),
    ],
  });
  await userInput.type(box(), 'shuju');
  await screen.findByRole('option', { name: '数据结构讲义' });
  await waitFor(() => expect(box().getAttribute('aria-expanded')).toBe('true'));
  expect(activeOption()).toBeUndefined();
  await userInput.keyboard('{ArrowUp}');
  await waitFor(() => expect(activeOption()).toBe('数据结构讲义'));
  await userInput.keyboard('{ArrowDown}');
  await waitFor(() => expect(activeOption()).toBeUndefined());
  await userInput.keyboard('{ArrowDown}');
  await waitFor(() => expect(activeOption()).toBe('数据'));
  await userInput.keyboard('{ArrowDown}');
  await screen.findByRole('option', { name: '数据结构讲义', selected: true });
  expect(document.activeElement).toBe(box());
  await userInput.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/document/12'));
  expect(api.inputsOf(searchApi.suggest).at(-1)).toEqual({ wd: 'shuju' });
});

it('Escape closes the suggestions and keeps the typed text, and leaving the search box closes them too', async () => {
  const { userInput } = renderPage(
    <>
      <SearchBox />
      <button type="button">别处</button>
    </>,
    { replies: [replyTo(searchApi.hot, { recommend: ['年终总结'], hot: ['合同'] }), noSuggestions] },
  );
  await userInput.click(box());
  await screen.findByRole('option', { name: '年终总结' });
  await userInput.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  await userInput.keyboard('{ArrowDown}');
  await screen.findByRole('option', { name: '合同' });
  await userInput.click(screen.getByRole('button', { name: '别处' }));
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  await userInput.type(box(), '合');
  await userInput.keyboard('{Escape}');
  expect(box().value).toBe('合');
});

it('a user selects from the search history with the arrow keys, searches with it and clears it', async () => {
  let history = ['链表', '桥墩'];
  const { userInput, api, address } = renderPage(<SearchBox />, {
    user: testUser(),
    replies: [
      replyTo(searchApi.hot, { recommend: ['桥墩'], hot: [] }),
      replyTo(searchApi.history, () => ({ history })),
      replyTo(searchApi.deleteHistory, failureWithoutMessage()),
    ],
  });
  await userInput.click(box());
  await screen.findByRole('group', { name: '我搜过的' });
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['链表', '桥墩']);
  await userInput.keyboard('{ArrowDown}{ArrowDown}');
  await waitFor(() => expect(activeOption()).toBe('桥墩'));
  await userInput.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe(searchAddress('桥墩')));
  await userInput.keyboard('{ArrowDown}');
  const clear = await screen.findByRole('button', { name: '清除历史记录' });
  await userInput.click(clear);
  await screen.findByText('没有清除，请稍后重试');
  api.set(
    replyTo(searchApi.deleteHistory, () => {
      history = [];
      return {};
    }),
  );
  await userInput.click(clear);
  await waitFor(() => expect(screen.queryByRole('group', { name: '我搜过的' })).toBeNull());
  expect(document.activeElement).toBe(box());
});
