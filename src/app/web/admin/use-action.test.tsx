import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { emptyObject } from '#platform/contract/shapes.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useAction } from '#platform/web/use-action.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { AdminProviders } from './admin-providers.tsx';

const access = { access: 'user', summary: '' } as const;
const folderApi = {
  list: endpoint({
    ...access,
    method: 'GET',
    path: '/folders',
    input: emptyObject,
    output: z.object({ total: z.int() }),
  }),
  remove: endpoint({
    ...access,
    method: 'DELETE',
    path: '/folders',
    input: z.object({ id: z.array(z.int()) }),
    output: emptyObject,
  }),
};

type Options = Parameters<typeof useAction<typeof folderApi.remove>>[1];

function FolderCount({ options }: { options: Options }) {
  const { data } = useQuery(endpointQuery(folderApi.list, {}));
  const remove = useAction(folderApi.remove, { invalidates: [folderApi.list], ...options });
  const [result, setResult] = useState('');
  const onClick = async () => setResult(`deleted: ${await remove.run({ id: [3] })}`);
  return (
    <>
      <p>{`folders: ${data?.total ?? '?'}`}</p>
      <button type="button" disabled={remove.isPending} onClick={onClick}>
        delete
      </button>
      <output>{result}</output>
    </>
  );
}

async function renderCount(options: Options, reply: Parameters<typeof replyTo<typeof folderApi.remove>>[1]) {
  let listCalls = 0;
  const page = renderPage(<FolderCount options={options} />, {
    user: testUser(),
    replies: [replyTo(folderApi.list, () => ({ total: 3 - listCalls++ })), replyTo(folderApi.remove, reply)],
  });
  await screen.findByText('folders: 3');
  return page;
}
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'delete' });

it('useAction reports success, calls onDone with output and input and refetches before it resolves', async () => {
  const answer = Promise.withResolvers<Record<string, never>>();
  const doneInputs: unknown[] = [];
  const onDone: Options['onDone'] = (_, input) => doneInputs.push([input, screen.getByText(/^folders/).textContent]);
  const { userInput } = await renderCount({ success: (_, { id }) => `删除了 ${id}`, onDone }, () => answer.promise);
  await userInput.click(button());
  expect(button().disabled).toBe(true);
  answer.resolve({});
  await screen.findByText('deleted: true');
  screen.getByText('删除了 3');
  screen.getByText('folders: 2');
  expect(button().disabled).toBe(false);
  expect(doneInputs).toEqual([[{ id: [3] }, 'folders: 3']]);
});

it.each([
  ['the message of the server', httpErrors.forbidden(), httpErrors.forbidden().message],
  ['the given text if the server sends none', failureWithoutMessage(), '删除失败'],
])('useAction reports a failure with %s and does not refetch', async (_, error, text) => {
  const { userInput } = await renderCount({ success: '删除成功', failure: '删除失败' }, error);
  await userInput.click(button());
  await screen.findByText('deleted: false');
  screen.getByText(text);
  screen.getByText('folders: 3');
  expect(screen.queryByText('删除成功')).toBeNull();
});

it('useAction refetches after a failure when the page may show outdated data', async () => {
  const { userInput } = await renderCount({ invalidatesAfterFailure: true }, failureWithoutMessage());
  await userInput.click(button());
  await screen.findByText('操作失败');
  await screen.findByText('folders: 2');
});

it('useAction reports the end of the session once, by the notice of the session', async () => {
  const { userInput } = await renderCount({ failure: '删除失败' }, httpErrors.loginRequired());
  await userInput.click(button());
  await screen.findByText('登录已失效，请重新登录');
  await screen.findByText('deleted: false');
  expect(screen.queryByText(/删除失败|您未登录/)).toBeNull();
});

it('useAction reports results of the back-office as antd messages', async () => {
  const page = <FolderCount options={{ success: '删除成功' }} />;
  const { userInput } = renderPage(<AdminProviders>{page}</AdminProviders>, {
    user: testUser(),
    replies: [replyTo(folderApi.list, { total: 3 }), replyTo(folderApi.remove, {})],
  });
  await userInput.click(button());
  expect((await screen.findByText('删除成功')).closest('.ant-message')).not.toBeNull();
});
