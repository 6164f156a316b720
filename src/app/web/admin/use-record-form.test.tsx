import { screen, waitFor } from '@testing-library/react';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { emptyObject } from '#platform/contract/shapes.ts';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { useRecordForm } from '#platform/web/admin/use-record-form.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { AdminProviders } from './admin-providers.tsx';

const endpointDefaults = { path: '/labels', access: 'user', summary: '', output: emptyObject } as const;
const labelApi = {
  create: endpoint({ ...endpointDefaults, method: 'POST', input: z.object({ code: z.string(), title: z.string() }) }),
  update: endpoint({ ...endpointDefaults, method: 'PUT', input: z.object({ id: z.int(), title: z.string() }) }),
};
const newValues = { code: '', title: '无题' };

function LabelForm({ initial }: { initial: { id?: number; code?: string; title?: string } }) {
  const [record, setRecord] = useState<typeof initial | null>(initial);
  const form = useRecordForm({
    ...labelApi,
    invalidates: [],
    noun: '标签',
    record,
    newValues,
    createOnly: ['code'],
    onClose: () => setRecord(null),
  });
  return (
    <FormDrawer {...form}>
      <Form.Item name="code" label="代码">
        <Input />
      </Form.Item>
      <Form.Item name="title" label="名称">
        <Input />
      </Form.Item>
    </FormDrawer>
  );
}

const renderForm = (initial: { id?: number; code?: string; title?: string }) =>
  renderPage(
    <AdminProviders>
      <LabelForm initial={initial} />
    </AdminProviders>,
    { user: testUser(), replies: [replyTo(labelApi.create, {}), replyTo(labelApi.update, {})] },
  );
const save = () => screen.getByRole('button', { name: '保存' });
const expectClosed = () => waitFor(() => expect(screen.queryByRole('button', { name: '保存' })).toBeNull());

it('the record form creates a record from its default values and closes', async () => {
  const { userInput, fill, api } = renderForm({});
  screen.getByText('新增标签');
  await fill(screen.getByLabelText('代码'), 'a1');
  await userInput.click(save());
  await screen.findByText('新增成功');
  await expectClosed();
  expect(api.inputsOf(labelApi.create)).toEqual([{ code: 'a1', title: '无题' }]);
  expect(api.inputsOf(labelApi.update)).toEqual([]);
});

it('the record form updates an existing record without the fields that cannot be changed', async () => {
  const { userInput, fill, api } = renderForm({ id: 7, code: 'a1', title: '旧名' });
  screen.getByText('编辑标签');
  expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('旧名');
  await fill(screen.getByLabelText('名称'), '新名');
  await userInput.click(save());
  await screen.findByText('修改成功');
  await expectClosed();
  expect(api.inputsOf(labelApi.update)).toEqual([{ id: 7, title: '新名' }]);
});

it('the record form stays open with the typed values when saving fails', async () => {
  const { userInput, fill, api } = renderForm({ id: 7, code: 'a1', title: '旧名' });
  api.set(replyTo(labelApi.update, failureWithoutMessage()));
  await fill(screen.getByLabelText('名称'), '新名');
  await userInput.click(save());
  await screen.findByText('操作失败');
  expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('新名');
});
