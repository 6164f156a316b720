import { Form, Select } from 'antd';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { EnableField } from '#platform/web/admin/sort-and-enable-fields.tsx';
import { useRecordForm } from '#platform/web/admin/use-record-form.ts';
import { type Synonym, searchAdminApi } from '../../search-admin.contract.ts';

const newSynonym: { words: string[]; enable: boolean } = { words: [], enable: true };
const MIN_WORDS = 2;
const MAX_WORDS = 20;

export function SynonymForm(props: { record: Partial<Synonym> | null; onClose: () => void }) {
  const form = useRecordForm({
    create: searchAdminApi.createSynonym,
    update: searchAdminApi.updateSynonym,
    invalidates: [searchAdminApi.synonyms],
    noun: '同义词',
    newValues: newSynonym,
    ...props,
  });
  return (
    <FormDrawer {...form}>
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
