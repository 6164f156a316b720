import { Form, Select } from 'antd';
import { useMemo } from 'react';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { EnableField } from '#platform/web/admin/sort-and-enable-fields.tsx';
import { useSaveMutations } from '#platform/web/admin/use-endpoint-mutation.ts';
import { type Synonym, searchAdminApi } from '../../search-admin.contract.ts';

type Values = { words: string[]; enable: boolean };

const saveEndpoints = { create: searchAdminApi.createSynonym, update: searchAdminApi.updateSynonym };
const MIN_WORDS = 2;
const MAX_WORDS = 20;

export function SynonymForm(props: { editing: Partial<Synonym> | null; onClose: () => void }) {
  const { editing, onClose } = props;
  const values = useMemo<Values>(() => ({ words: editing?.words ?? [], enable: editing?.enable ?? true }), [editing]);
  const { create, update, saving: isSaving } = useSaveMutations(saveEndpoints, onClose, [searchAdminApi.synonyms]);
  return (
    <FormDrawer<Values>
      title={editing?.id ? '编辑同义词' : '新增同义词'}
      open={editing !== null}
      values={values}
      saving={isSaving}
      onClose={onClose}
      onSubmit={(values) => (editing?.id ? update({ ...values, id: editing.id }) : create(values))}
    >
      <Form.Item
        name="words"
        label="意思相同的词"
        extra="每个词后按回车或逗号。读者搜其中一个，其余的也会找到。"
        rules={[
          { type: 'array', required: true, min: MIN_WORDS, message: '请至少输入两个词' },
          { type: 'array', max: MAX_WORDS, message: `一组最多 ${MAX_WORDS} 个词` },
        ]}
      >
        <Select mode="tags" tokenSeparators={[',', '，', '、', ';', '；']} open={false} suffixIcon={null} />
      </Form.Item>
      <EnableField />
    </FormDrawer>
  );
}
